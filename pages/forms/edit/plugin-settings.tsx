// Settings for a plugin in a form that is made by hand: those that it declares as fields, others as keys with values.
import { computed } from '@preact/signals';
import { useApi } from '../../api/queries.ts';
import { type DeclaredSetting, declaredBy, type PluginInfo } from '../model/declared.ts';
import type { FieldLens } from './field-lens.ts';
import { AreaField, type Choice, ChoiceField, TextField } from './fields.tsx';
import { add, type Lens } from './lens.ts';
import { SecretField } from './secret-field.tsx';
import { registerSecretKey } from './secret-keys.ts';
import { indexOfKey, type Setting, withSetting } from './setting.ts';
import { SettingRow } from './setting-row.tsx';
import { STORED } from './unsent.ts';

const PLUGINS = '/api/admin/plugin_info';
const VERSION = 7;

interface PluginList {
  readonly _embedded: { readonly plugin_info: readonly PluginInfo[] };
}

interface PluginSettingsProps {
  readonly list: Lens<readonly Setting[]>;
  /** Undefined: the plugin is not known. */
  readonly plugin: string | undefined;
  readonly extension: string;
  /** The member of the extension that declares them. */
  readonly settings: string;
}

export function PluginSettings({ list, plugin, extension, settings }: PluginSettingsProps) {
  const plugins = useApi<PluginList>(PLUGINS, VERSION).data?._embedded.plugin_info ?? [];
  const info = plugins.find(({ id }) => id === plugin);
  const declared = info && declaredBy(info, { extension, settings, id: null });
  const known = new Set(declared?.map(({ key }) => key.toLowerCase()));
  const others = list.now.value.flatMap(({ key }, index) => (known.has(key.toLowerCase()) ? [] : [index]));
  return (
    <fieldset>
      <legend>Settings for the plugin</legend>
      {declared?.length === 0 && <p class="quiet">This plugin takes no settings here.</p>}
      {declared?.map((one) => (
        <DeclaredField key={one.key} list={list} declared={one} />
      ))}
      {others.map((index) => (
        // Keys change while they are typed.
        <SettingRow key={index} list={list} index={index} guessesSecrets={declared === undefined} />
      ))}
      {declared === undefined && (
        <button type="button" class="button" onClick={() => add(list, { key: '', value: '' })}>
          Add a setting
        </button>
      )}
    </fieldset>
  );
}

const YES_OR_NO: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

function DeclaredField({ list, declared }: { readonly list: Lens<readonly Setting[]>; readonly declared: DeclaredSetting }) {
  const { key, label, about, kind, choices, defaultValue, isRequired, isOptional, isSecret } = declared;
  const at = indexOfKey(list.now.value, key);
  const setting = list.now.value[at];
  const path = [...list.path, at, 'value'];
  if (isSecret || setting?.encrypted_value !== undefined) {
    registerSecretKey(key);
    return (
      <SecretField
        label={label}
        isOptional={isOptional}
        path={path}
        value={{ plain: setting?.value, encrypted: setting?.encrypted_value, stored: setting?.[STORED] }}
        onChange={({ plain, encrypted, stored }) =>
          list.set(withSetting(list.now.peek(), { key, value: plain, encrypted_value: encrypted, [STORED]: stored }))
        }
      />
    );
  }
  const lens: FieldLens<string> = {
    path,
    now: computed(() => list.now.value[indexOfKey(list.now.value, key)]?.value),
    set: (value) => list.set(withSetting(list.now.peek(), { key, value })),
  };
  if (kind === 'multiline') return <AreaField label={label} lens={lens} hint={about} isOptional={isOptional} />;
  if (kind === 'boolean' || kind === 'choice') {
    const offered = kind === 'boolean' ? YES_OR_NO : choices;
    const none =
      defaultValue === undefined ? '' : `As usual: ${offered.find(({ value }) => value === defaultValue)?.label ?? defaultValue}`;
    return <ChoiceField label={label} lens={lens} choices={[{ value: '', label: none }, ...offered]} hint={about} />;
  }
  return <TextField label={label} lens={lens} hint={about} placeholder={defaultValue} isRequired={isRequired} isOptional={isOptional} />;
}
