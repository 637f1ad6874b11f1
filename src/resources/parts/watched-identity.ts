// The identity of packages and SCMs that plugins poll. The plugin says which settings are part of it; credentials are not.
import { type Property, settingsIdentity } from '../../shape/properties.ts';
import type { PluginsView, SettingsInside, TagsView } from '../../shape/resource.ts';

/** Which settings of which plugin. */
export type PolledSettings = Omit<SettingsInside, 'open'>;

/** Equal for settings that lead to the same; undefined when none is there that could lead anywhere. */
export function polledIdentity(watching: PolledSettings, view: PluginsView): string | undefined {
  return settingsIdentity(countingSettings(watching, view));
}

/** For each setting, because only rules know which of them count. */
export function settingTags(about: string, settings: readonly Property[]): string[] {
  return settings.flatMap((setting) => settingsIdentity([setting]) ?? []).map((identity) => `${about}\n${identity}`);
}

/** The ids of those that may be about the same: all that have the rarest of its settings. */
export function duplicateCandidates(about: string, watching: PolledSettings, view: PluginsView & TagsView): readonly string[] {
  const tagged = settingTags(about, countingSettings(watching, view)).map((mark) => [...view.tagged(mark)]);
  const [first = [], ...others] = tagged;
  return others.reduce((fewest, some) => (some.length < fewest.length ? some : fewest), first).map(({ id }) => id);
}

function countingSettings({ pluginId, block, settings }: PolledSettings, { isPartOfIdentity }: PluginsView): readonly Property[] {
  return settings.filter(({ key }) => isPartOfIdentity(pluginId, block, key) !== false);
}
