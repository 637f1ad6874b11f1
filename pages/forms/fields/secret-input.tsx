// A secret: the page shows whether there is one, never its value. It is kept, replaced or removed.
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ControlProps } from './frame.tsx';

export interface SecretInputProps {
  readonly label: string;
  readonly control: ControlProps;
  /** Whether a secret is stored already. */
  readonly isSet: boolean;
  /** undefined: it stays as it is. */
  readonly typed: Signal<string | undefined>;
  readonly isRequired: boolean;
  readonly isMultiline?: boolean;
  readonly onChange: () => void;
}

export function SecretInput({ label, control, isSet, typed, isRequired, isMultiline = false, onChange }: SecretInputProps) {
  const change = (text: string | undefined): void => {
    typed.value = text;
    onChange();
  };
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isKept = isSet && typed.value === undefined;
  useEffect(() => {
    // After a click on Replace, the user can type at once.
    if (isSet && !isKept) input.current?.focus();
  }, [isKept]);
  if (isKept) {
    return (
      <div class="secret">
        <span id={control.id}>Set, not shown</span>
        <button type="button" class="button is-small" aria-label={`Replace ${label}`} onClick={() => change('')}>
          Replace
        </button>
      </div>
    );
  }
  const props = { ...control, ref: input, value: typed.value ?? '', autocomplete: 'new-password', spellcheck: false } as const;
  const isRemoved = isSet && typed.value === '';
  return (
    <div class="secret">
      {isMultiline ? (
        <textarea {...props} class="is-hidden-text" rows={4} onInput={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <input {...props} type="password" onInput={({ currentTarget }) => change(currentTarget.value)} />
      )}
      {isSet && (
        <button type="button" class="button is-small" aria-label={`Keep ${label} as it was`} onClick={() => change(undefined)}>
          Keep the old one
        </button>
      )}
      {isRemoved && !isRequired && <span class="quiet">Left empty, it is removed.</span>}
    </div>
  );
}
