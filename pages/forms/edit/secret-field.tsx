// A secret: it can be set and replaced, and is never shown again.
import { useId } from 'preact/hooks';
import { Optional } from '../../kit/fields/optional.tsx';
import { FieldProblems, useProblems } from './editing.tsx';
import { registerLabel } from './labels.ts';
import type { Path } from './lens.ts';

/** A secret as the API has it: in clear when the user has typed it, else as the cipher text that came from the server. */
export interface SecretValue {
  readonly plain: string | undefined;
  readonly encrypted: string | undefined;
  /** The cipher text that the user replaces. It is not sent, but can be taken back. */
  readonly stored?: string | undefined;
}

interface SecretFieldProps {
  readonly label: string;
  readonly path: Path;
  readonly value: SecretValue;
  readonly onChange: (value: SecretValue) => void;
  /** The label is for screen readers only: the heading of the table shows it. */
  readonly isLabelHidden?: boolean;
  /** The field may be left empty. */
  readonly isOptional?: boolean;
}

export function SecretField({
  label,
  path,
  value: { plain, encrypted, stored },
  onChange,
  isLabelHidden = false,
  isOptional = false,
}: SecretFieldProps) {
  const id = useId();
  const storedPath = encryptedPath(path);
  if (!isLabelHidden) for (const one of [path, storedPath]) registerLabel(one, label);
  const problems = [useProblems(path), useProblems(storedPath)].filter((text) => text !== '').join('\n');
  const isSet = encrypted !== undefined && encrypted !== '' && plain === undefined;
  return (
    <div class="form-field">
      <label for={id} class={isLabelHidden ? 'hidden' : undefined}>
        <span>
          {label}
          {isOptional && <Optional />}
        </span>
      </label>
      {isSet ? (
        <span class="secret-set">
          <input id={id} value="set, not shown" readOnly class="quiet" />
          <button type="button" class="button" onClick={() => onChange({ plain: '', encrypted: undefined, stored: encrypted })}>
            Replace<span class="hidden"> {label}</span>
          </button>
        </span>
      ) : (
        <span class="secret-set">
          <input
            id={id}
            type="password"
            autocomplete="new-password"
            value={plain ?? ''}
            aria-invalid={problems !== ''}
            onInput={({ currentTarget }) => onChange({ plain: currentTarget.value, encrypted: undefined, stored })}
          />
          {stored !== undefined && (
            <button type="button" class="button" onClick={() => onChange({ plain: undefined, encrypted: stored })}>
              Keep the old one<span class="hidden"> for {label}</span>
            </button>
          )}
        </span>
      )}
      <FieldProblems text={problems} />
    </div>
  );
}

/** Problems of a stored secret stand at the member that holds it encrypted. */
function encryptedPath(path: Path): Path {
  return [...path.slice(0, -1), `encrypted_${path.at(-1)}`];
}
