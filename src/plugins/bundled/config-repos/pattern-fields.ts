// The settings of plugins that read files of a repository: which files.
import type { SettingField } from '../../../contracts/plugins/plugin.ts';

/** One for each description, in this order. */
export function patternFields(
  defaults: Readonly<Record<string, string>>,
  descriptions: Readonly<Record<string, string>>,
): readonly SettingField[] {
  return Object.entries(descriptions).map(([key, description]) => ({ key, defaultValue: defaults[key], description }));
}
