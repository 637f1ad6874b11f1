// Plugins that read files of config repos, and which settings each takes.
import type { Choice } from '../forms/edit/fields.tsx';

interface SettingsForm {
  readonly configurations: readonly { readonly key: string; readonly default?: string | null }[];
}

interface Extension {
  readonly type: string;
  readonly configuration_settings?: SettingsForm;
  readonly plugin_settings?: SettingsForm;
}

export interface PluginList {
  readonly _embedded: {
    readonly plugin_info: readonly {
      readonly id: string;
      readonly about: { readonly name: string };
      readonly extensions: readonly Extension[];
    }[];
  };
}

export function pluginChoices(plugins: PluginList | undefined): readonly Choice[] {
  return (plugins?._embedded.plugin_info ?? []).map(({ id, about: { name } }) => ({ value: id, label: `${name} (${id})` }));
}

export interface KnownSetting {
  readonly key: string;
  /** The default value: for most, the pattern of the files that are read. */
  readonly defaultValue: string | undefined;
}

/** The settings that the plugin takes. */
export function knownSettings(plugins: PluginList | undefined, id: string): readonly KnownSetting[] {
  const plugin = plugins?._embedded.plugin_info.find((one) => one.id === id);
  const forms = plugin?.extensions.flatMap(({ configuration_settings: own, plugin_settings: all }) => own ?? all ?? []) ?? [];
  const defaults = new Map(
    forms.flatMap(({ configurations }) => configurations.map(({ key, default: value }) => [key, value ?? undefined])),
  );
  return Array.from(defaults, ([key, value]) => ({ key, defaultValue: value }));
}
