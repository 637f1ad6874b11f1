// The identity of packages and SCMs that plugins poll. The plugin says which settings are part of it; credentials are not.
import { type Property, settingsIdentity } from '../../shape/properties.ts';
import type { PluginsView, SettingsInside, TagsView } from '../../shape/resource.ts';

/** The settings of a plugin by which it polls a package or an SCM. */
export type PolledSettings = Omit<SettingsInside, 'unresolvedKeys'>;

/** Equal for settings that identify the same package or SCM; undefined when no setting identifies any. */
export function polledIdentity(polled: PolledSettings, view: PluginsView): string | undefined {
  return settingsIdentity(identitySettings(polled, view));
}

/** One tag for each setting, because only rules know which settings are part of the identity. */
export function settingTags(about: string, settings: readonly Property[]): string[] {
  return settings.flatMap((setting) => settingsIdentity([setting]) ?? []).map((identity) => `${about}\n${identity}`);
}

/** The ids of the entities that may have the same identity: all that share the rarest of the settings. */
export function duplicateCandidates(about: string, polled: PolledSettings, view: PluginsView & TagsView): readonly string[] {
  const tagged = settingTags(about, identitySettings(polled, view)).map((tag) => [...view.tagged(tag)]);
  const [first = [], ...others] = tagged;
  return others.reduce((fewest, some) => (some.length < fewest.length ? some : fewest), first).map(({ id }) => id);
}

function identitySettings({ pluginId, block, settings }: PolledSettings, { isPartOfIdentity }: PluginsView): readonly Property[] {
  return settings.filter(({ key }) => isPartOfIdentity(pluginId, block, key) !== false);
}
