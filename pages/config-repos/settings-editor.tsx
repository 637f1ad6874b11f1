// Settings for the plugin: keys with values, some of them secret.
import { TextField } from '../forms/edit/fields.tsx';
import { add, item, member, type Part, remove } from '../forms/edit/part.ts';
import { SecretField, type SecretValue } from '../forms/edit/secret-field.tsx';
import type { Setting } from './config-repo.ts';

interface SettingsEditorProps {
  readonly list: Part<readonly Setting[]>;
  /** Those that the plugin knows. */
  readonly keys: readonly string[];
}

export function SettingsEditor({ list, keys }: SettingsEditorProps) {
  return (
    <fieldset>
      <legend>Settings of the plugin</legend>
      {list.now.value.map((_, index) => (
        // Settings have no id, and their keys change while they are typed.
        <SettingRow key={index} list={list} index={index} keys={keys} />
      ))}
      {list.now.value.length === 0 && <p class="quiet">None: the usual files are read.</p>}
      <button type="button" class="button" onClick={() => add(list, { key: unused(list.now.peek(), keys), value: '' })}>
        Add a setting
      </button>
    </fieldset>
  );
}

function SettingRow({ list, index, keys }: SettingsEditorProps & { readonly index: number }) {
  const part = item(list, index);
  const setting = part.now.value;
  const isSecret = setting.encrypted_value !== undefined;
  const setSecret = ({ plain, encrypted }: SecretValue): void =>
    part.set({
      key: setting.key,
      ...(plain !== undefined && { value: plain }),
      ...(encrypted !== undefined && { encrypted_value: encrypted }),
    });
  return (
    <div class="row-of-fields">
      <TextField label="Key" part={member(part, 'key')} suggestions={keys} />
      {isSecret ? (
        <SecretField
          label="Value"
          path={[...part.path, 'value']}
          value={{ plain: setting.value, encrypted: setting.encrypted_value }}
          onChange={setSecret}
        />
      ) : (
        <TextField label="Value" part={member(part, 'value')} />
      )}
      <button type="button" class="icon-button" aria-label={`Remove the setting ${setting.key}`} onClick={() => remove(list, index)}>
        ×
      </button>
    </div>
  );
}

function unused(settings: readonly Setting[], keys: readonly string[]): string {
  return keys.find((key) => !settings.some((setting) => setting.key === key)) ?? '';
}
