// A field with a list of values to choose from: typing narrows the list, arrows choose, Enter takes, Escape closes.
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export interface ComboboxOption {
  /** Of its own in the list. */
  readonly key: string;
  readonly label: string;
  /** A text that distinguishes it from similar options. */
  readonly hint?: string;
}

export interface ComboboxProps<O extends ComboboxOption> {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  /** The options that match the value, the best first. */
  readonly options: readonly O[];
  readonly onInput: (value: string) => void;
  readonly onPick: (option: O) => void;
  /** Takes the typed text as it is, where Enter would send the form. */
  readonly onEnter?: () => void;
  /** The list is always there, as a part of the page; otherwise it opens below the field. */
  readonly isInline?: boolean;
  /** The attributes that a form gives the field: its id, its description, whether it is wrong. */
  readonly input?: JSX.AriaAttributes & { readonly id?: string };
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  PageDown: (index, count) => Math.min(count - 1, index + 10),
  PageUp: (index) => Math.max(0, index - 10),
};

export function Combobox<O extends ComboboxOption>({
  label,
  value,
  placeholder,
  options,
  onInput,
  onPick,
  onEnter,
  isInline = false,
  input,
}: ComboboxProps<O>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [isWanted, setIsWanted] = useState(false);
  const isOpen = (isInline || isWanted) && options.length > 0;
  const at = Math.min(active, options.length - 1);
  const pick = (option: O): void => {
    setIsWanted(false);
    onPick(option);
  };
  const press = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const chosen = options[at];
    if (step !== undefined && options.length > 0) {
      setActive(isOpen ? step(at, options.length) : at);
      setIsWanted(true);
    } else if (event.key === 'Enter' && isOpen && chosen !== undefined) pick(chosen);
    else if (event.key === 'Enter' && onEnter !== undefined) onEnter();
    else if (event.key === 'Escape' && isWanted && !isInline) setIsWanted(false);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, isOpen]);
  return (
    <div class={isInline ? 'combobox' : 'combobox is-popup'}>
      <input
        {...input}
        role="combobox"
        // A dialog gives the focus to an element with this attribute.
        autofocus={isInline}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => {
          setActive(0);
          setIsWanted(true);
          onInput(currentTarget.value);
        }}
        onKeyDown={press}
        onClick={() => setIsWanted(true)}
        onBlur={() => setIsWanted(false)}
      />
      <div ref={list} id={`${id}list`} role="listbox" aria-label={label} class="combobox-list" hidden={!isOpen} tabIndex={-1}>
        {(isOpen ? options : []).map((option, index) => (
          <Option key={option.key} id={`${id}${index}`} option={option} isActive={index === at} onPick={() => pick(option)} />
        ))}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly option: ComboboxOption;
  readonly isActive: boolean;
  readonly onPick: () => void;
}

function Option({ id, option: { label, hint }, isActive, onPick }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div id={id} role="option" aria-selected={isActive} onMouseDown={(event) => event.preventDefault()} onClick={onPick}>
      <span>{label}</span>
      {hint !== undefined && <span class="quiet">{hint}</span>}
    </div>
  );
}
