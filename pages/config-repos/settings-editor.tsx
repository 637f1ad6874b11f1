// Settings for the plugin: keys with values, some of them secret.
import { add, type Part } from '../forms/edit/part.ts';
import type { Setting } from '../forms/edit/setting.ts';
import { SettingRow } from '../forms/edit/setting-row.tsx';

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

function unused(settings: readonly Setting[], keys: readonly string[]): string {
  return keys.find((key) => !settings.some((setting) => setting.key === key)) ?? '';
}
