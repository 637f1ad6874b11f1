// One setting whose key is typed, too: the plugin does not say which there are.
import { looksSecret } from '../model/looks-secret.ts';
import { TextField } from './fields.tsx';
import { item, type Lens, member, remove } from './lens.ts';
import { SecretField, type SecretValue } from './secret-field.tsx';
import { isSecretKey, registerSecretKey } from './secret-keys.ts';
import type { Setting } from './setting.ts';
import { STORED } from './unsent.ts';

interface SettingRowProps {
  readonly list: Lens<readonly Setting[]>;
  readonly index: number;
  /** Keys that the plugin knows. */
  readonly keys?: readonly string[];
  /** The plugin is not known: a key that looks like that of a secret is one, as the server takes it. */
  readonly guessesSecrets?: boolean;
}

export function SettingRow({ list, index, keys, guessesSecrets = false }: SettingRowProps) {
  const lens = item(list, index);
  const { key, value, encrypted_value: encrypted, [STORED]: stored } = lens.now.value;
  // A secret stays a secret while the user replaces it.
  if (encrypted !== undefined || (guessesSecrets && looksSecret(key))) registerSecretKey(key);
  const setSecret = ({ plain, encrypted: kept, stored: replaced }: SecretValue): void =>
    lens.set({
      key,
      ...(plain !== undefined && { value: plain }),
      ...(kept !== undefined && { encrypted_value: kept }),
      [STORED]: replaced,
    });
  return (
    <div class="row-of-fields">
      <TextField label="Key" lens={member(lens, 'key')} suggestions={keys} />
      {isSecretKey(key) ? (
        <SecretField label="Value" path={[...lens.path, 'value']} value={{ plain: value, encrypted, stored }} onChange={setSecret} />
      ) : (
        <TextField label="Value" lens={member(lens, 'value')} />
      )}
      <button type="button" class="icon-button" aria-label={`Remove the setting ${key}`} onClick={() => remove(list, index)}>
        ×
      </button>
    </div>
  );
}
