// Fields for one value each. Typing in one draws that one again, and nothing else.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Optional } from '../../kit/fields/optional.tsx';
import { FieldProblems, useProblems } from './editing.tsx';
import type { FieldLens } from './field-lens.ts';
import { registerLabel } from './labels.ts';
import type { Path } from './lens.ts';

interface FieldProps<T> {
  readonly label: string;
  readonly lens: FieldLens<T>;
  readonly hint?: ComponentChildren;
  /** The field may be left empty. */
  readonly isOptional?: boolean;
}

interface TextFieldProps extends FieldProps<string> {
  readonly placeholder?: string;
  /** Values that the field offers; other texts are taken, too. */
  readonly suggestions?: readonly string[];
  readonly isRequired?: boolean;
  readonly type?: 'text' | 'number';
}

export function TextField({ label, lens, hint, isOptional, placeholder, suggestions, isRequired, type = 'text' }: TextFieldProps) {
  const id = useId();
  const problems = useField(lens.path, label);
  return (
    <Frame id={id} label={label} hint={hint} isOptional={isOptional} problems={problems}>
      <input
        id={id}
        type={type}
        value={lens.now.value ?? ''}
        placeholder={placeholder}
        required={isRequired}
        spellcheck={false}
        autocomplete="off"
        list={suggestions === undefined ? undefined : `${id}list`}
        aria-invalid={problems !== ''}
        aria-describedby={describedBy(id, hint, problems)}
        onInput={({ currentTarget }) => lens.set(currentTarget.value)}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </Frame>
  );
}

export function AreaField({ label, lens, hint, isOptional, rows = 4 }: FieldProps<string> & { readonly rows?: number }) {
  const id = useId();
  const problems = useField(lens.path, label);
  return (
    <Frame id={id} label={label} hint={hint} isOptional={isOptional} problems={problems}>
      <textarea
        id={id}
        rows={rows}
        value={lens.now.value ?? ''}
        spellcheck={false}
        aria-invalid={problems !== ''}
        aria-describedby={describedBy(id, hint, problems)}
        onInput={({ currentTarget }) => lens.set(currentTarget.value)}
      />
    </Frame>
  );
}

export function CheckField({ label, lens, hint }: FieldProps<boolean>) {
  const id = useId();
  const problems = useField(lens.path, label);
  return (
    <div class="form-field is-check">
      <label for={id}>
        <input
          id={id}
          type="checkbox"
          checked={lens.now.value ?? false}
          aria-describedby={describedBy(id, hint, problems)}
          onInput={({ currentTarget }) => lens.set(currentTarget.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}hint`} class="quiet">
          {hint}
        </span>
      )}
      <FieldProblems id={`${id}problems`} text={problems} />
    </div>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function ChoiceField({ label, lens, hint, choices }: FieldProps<string> & { readonly choices: readonly Choice[] }) {
  const id = useId();
  const problems = useField(lens.path, label);
  const value = lens.now.value ?? '';
  // A value of the server that this page does not know is kept.
  const offered = choices.some((choice) => choice.value === value) ? choices : [{ value, label: value }, ...choices];
  return (
    <Frame id={id} label={label} hint={hint} problems={problems}>
      <select
        id={id}
        value={value}
        aria-invalid={problems !== ''}
        aria-describedby={describedBy(id, hint, problems)}
        onInput={({ currentTarget }) => lens.set(currentTarget.value)}
      >
        {offered.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly isOptional?: boolean | undefined;
  readonly problems: string;
  readonly children: ComponentChildren;
}

function Frame({ id, label, hint, isOptional = false, problems, children }: FrameProps) {
  return (
    <div class="form-field">
      <label for={id}>
        <span>
          {label}
          {isOptional && <Optional />}
        </span>
      </label>
      {children}
      {hint !== undefined && (
        <span id={`${id}hint`} class="quiet">
          {hint}
        </span>
      )}
      <FieldProblems id={`${id}problems`} text={problems} />
    </div>
  );
}

/** The problems of the field. The summary of problems names them by the labels of their fields. */
function useField(path: Path, label: string): string {
  registerLabel(path, label);
  return useProblems(path);
}

function describedBy(id: string, hint: ComponentChildren, problems: string): string | undefined {
  const ids = [hint !== undefined && `${id}hint`, problems !== '' && `${id}problems`].filter((one) => one !== false);
  return ids.length === 0 ? undefined : ids.join(' ');
}
