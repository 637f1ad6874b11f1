// The plugins that the server has, and the settings that each takes.
import { getJson } from '../../api/client.ts';
import { isObject, type JsonObject, textOf } from '../../api/json.ts';
import { fetchKept } from '../../api/queries.ts';
import { type DeclaredSetting, declaredBy, type PluginInfo } from '../model/declared.ts';
import type { SettingsNote } from '../schema/schema.ts';
import { entitiesOf } from './names.ts';
import type { Name } from './offered.ts';

const ADDRESS = '/api/admin/plugin_info';
const VERSION = 7;

interface PluginList {
  readonly _embedded: { readonly plugin_info: readonly PluginInfo[] };
}

async function readPlugins(): Promise<readonly PluginInfo[]> {
  const list = await fetchKept([ADDRESS, VERSION], (signal) => getJson<PluginList>(ADDRESS, VERSION, signal));
  return list._embedded.plugin_info;
}

/** The plugins of a kind; null: of any kind. */
export async function pluginNames(extension: string | null): Promise<readonly Name[]> {
  const plugins = await readPlugins();
  return plugins
    .filter(({ extensions }) => extension === null || extensions.some(({ type }) => type === extension))
    .map(({ id, about: { name, description } }) => ({ id, hint: [name, description].filter(Boolean).join(': ') }));
}

export interface PluginSettings {
  readonly plugin: string;
  /** Undefined: the plugin cannot be used in this place. */
  readonly settings: readonly DeclaredSetting[] | undefined;
}

/** The settings of the plugin of this name, or of the plugin of the entity of this name; undefined: not known. */
export async function declaredSettings(note: SettingsNote, name: string): Promise<PluginSettings | undefined> {
  if (name === '') return undefined;
  const id = note.through === undefined ? name : await pluginOf(note.through, name);
  const plugin = (await readPlugins()).find((one) => one.id === id);
  return plugin && { plugin: plugin.id, settings: declaredBy(plugin, note) };
}

/** The plugin of a configured entity. */
async function pluginOf(resource: string, id: string): Promise<string> {
  const found = (await entitiesOf(resource)).find(({ name }) => name.toLowerCase() === id.toLowerCase());
  return found === undefined ? '' : pluginIn(found.entity);
}

function pluginIn({ plugin_id: id, plugin_metadata: metadata }: JsonObject): string {
  return id === undefined && isObject(metadata) ? textOf(metadata.id) : textOf(id);
}
