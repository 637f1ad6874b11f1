// Settings for a plugin: keys with values, secret ones as the server has encrypted them.
import { TextField } from '../../forms/edit/fields.tsx';
import { add, indices, item, lengthOf, member, type Part, remove } from '../../forms/edit/part.ts';
import { SecretField, type SecretValue } from '../../forms/edit/secret-field.tsx';
import type { Setting } from '../pipeline.ts';

export function SettingsForm({ list }: { readonly list: Part<readonly Setting[]> }) {
  return (
    <fieldset>
      <legend>Settings for the plugin</legend>
      {indices(lengthOf(list).value).map((index) => (
        // Keys change while they are typed.
        <SettingRow key={index} list={list} index={index} />
      ))}
      <button type="button" class="button" onClick={() => add(list, { key: '', value: '' })}>
        Add a setting
      </button>
    </fieldset>
  );
}

function SettingRow({ list, index }: { readonly list: Part<readonly Setting[]>; readonly index: number }) {
  const part = item(list, index);
  const { key, value, encrypted_value: encrypted } = part.now.value;
  const setSecret = ({ plain, encrypted: kept }: SecretValue): void =>
    part.set({ key, ...(plain !== undefined && { value: plain }), ...(kept !== undefined && { encrypted_value: kept }) });
  return (
    <div class="row-of-fields">
      <TextField label="Key" part={member(part, 'key')} />
      {encrypted === undefined ? (
        <TextField label="Value" part={member(part, 'value')} />
      ) : (
        <SecretField label="Value" path={[...part.path, 'value']} value={{ plain: value, encrypted }} onChange={setSecret} />
      )}
      <button type="button" class="icon-button" aria-label={`Remove the setting ${key}`} onClick={() => remove(list, index)}>
        ×
      </button>
    </div>
  );
}
