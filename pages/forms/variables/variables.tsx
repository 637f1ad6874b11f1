// Environment variables: plain ones and secrets, many of them.
import { useRef } from 'preact/hooks';
import { FieldProblems, useProblems } from '../edit/editing.tsx';
import { registerLabel } from '../edit/labels.ts';
import { add, indices, item, type Lens, lengthOf, remove } from '../edit/lens.ts';
import { SecretField, type SecretValue } from '../edit/secret-field.tsx';
import { STORED } from '../edit/unsent.ts';
import { type Variable, withSecrecy } from './variable.ts';

export function VariablesEditor({
  list,
  label = 'Environment variables',
}: {
  readonly list: Lens<readonly Variable[]>;
  readonly label?: string;
}) {
  const count = lengthOf(list).value;
  const container = useRef<HTMLDivElement>(null);
  const addOne = (): void => {
    add(list, { name: '', secure: false, value: '' });
    // The new variable is drawn in the next frame.
    requestAnimationFrame(() => container.current?.querySelector<HTMLInputElement>('.variable:last-of-type input')?.focus());
  };
  return (
    <fieldset class="variables">
      <legend>{label}</legend>
      <div ref={container}>
        {indices(count).map((index) => (
          // Variables have no id of their own, and their names change while they are typed.
          <VariableRow key={index} list={list} index={index} />
        ))}
      </div>
      {count === 0 && <p class="quiet">None.</p>}
      <button type="button" class="button" onClick={addOne}>
        Add a variable
      </button>
    </fieldset>
  );
}

function VariableRow({ list, index }: { readonly list: Lens<readonly Variable[]>; readonly index: number }) {
  const lens = item(list, index);
  const variable = lens.now.value;
  const { name, secure: isSecure, value, encrypted_value: encrypted } = variable;
  const problems = [useProblems([...lens.path, 'name']), useProblems([...lens.path, 'value'])].filter((text) => text !== '').join('\n');
  for (const member of ['value', 'encrypted_value']) registerLabel([...lens.path, member], 'Value');
  const called = name || `variable ${index + 1}`;
  const setSecret = ({ plain, encrypted: kept, stored }: SecretValue): void =>
    lens.set({
      name,
      secure: true,
      ...(plain !== undefined && { value: plain }),
      ...(kept !== undefined && { encrypted_value: kept }),
      [STORED]: stored,
    });
  return (
    <div class="variable">
      <input
        aria-label={`Name of ${called}`}
        placeholder="NAME"
        value={name}
        spellcheck={false}
        aria-invalid={problems !== ''}
        onInput={({ currentTarget }) => lens.set({ ...variable, name: currentTarget.value })}
      />
      {isSecure ? (
        <SecretField
          label={`Value of ${called}`}
          isLabelHidden
          path={[...lens.path, 'encrypted_value']}
          value={{ plain: value, encrypted, stored: variable[STORED] }}
          onChange={setSecret}
        />
      ) : (
        <input
          aria-label={`Value of ${called}`}
          placeholder="value"
          value={value ?? ''}
          spellcheck={false}
          onInput={({ currentTarget }) => lens.set({ ...variable, value: currentTarget.value })}
        />
      )}
      <label class="variable-secure">
        <input type="checkbox" checked={isSecure} onInput={() => lens.set(withSecrecy(variable, !isSecure))} />
        secret
      </label>
      <button type="button" class="icon-button" aria-label={`Remove ${called}`} onClick={() => remove(list, index)}>
        ×
      </button>
      <FieldProblems text={problems} />
    </div>
  );
}
