// Settings for the plugin: keys with values, some of them secret.
import { add, type Lens } from '../forms/edit/lens.ts';
import type { Setting } from '../forms/edit/setting.ts';
import { SettingRow } from '../forms/edit/setting-row.tsx';
import type { KnownSetting } from './plugins.ts';

interface SettingsEditorProps {
  readonly list: Lens<readonly Setting[]>;
  /** The settings that the plugin knows. */
  readonly known: readonly KnownSetting[];
}

export function SettingsEditor({ list, known }: SettingsEditorProps) {
  const keys = known.map(({ key }) => key);
  const files = known.flatMap(({ defaultValue }) => defaultValue?.split(',') ?? []);
  return (
    <fieldset>
      <legend>Settings of the plugin</legend>
      {list.now.value.map((_, index) => (
        // Settings have no id, and their keys change while they are typed.
        <SettingRow key={index} list={list} index={index} keys={keys} />
      ))}
      {list.now.value.length === 0 && <p class="quiet">{files.length === 0 ? 'None.' : `None: the files ${files.join(', ')} are read.`}</p>}
      <button type="button" class="button" onClick={() => add(list, { key: firstUnused(list.now.peek(), keys), value: '' })}>
        Add a setting
      </button>
    </fieldset>
  );
}

function firstUnused(settings: readonly Setting[], keys: readonly string[]): string {
  return keys.find((key) => !settings.some((setting) => setting.key === key)) ?? '';
}
