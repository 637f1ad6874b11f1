// The plugins this server has: who they are, and which settings they take.
import type { Plugin, SettingsBlock } from '../../contracts/plugins/plugin.ts';
import { sha256 } from '../../kit/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { JsonOut } from '../../shape/json.ts';
import { type Answer, jsonAnswer, type Route } from '../route.ts';
import { docLink, links } from './links.ts';

const PATH = '/api/admin/plugin_info';

export function pluginInfoRoutes(plugins: readonly Plugin[]): Route[] {
  const common = { method: 'GET', version: 7, permission: 'user' } as const;
  const chapter = 'plugin-info';
  return [
    {
      ...common,
      path: PATH,
      description: {
        chapter,
        summary: 'List of plugins',
        query: { type: { type: 'string', description: 'Only plugins of this kind.' } },
        response: LIST_SCHEMA,
        hasEtag: true,
      },
      handle: ({ base, query }) => {
        const type = query.get('type');
        const listed = plugins.filter((plugin) => type === null || plugin.kind === type);
        const body = {
          _links: links(base, { self: PATH, find: `${PATH}/:plugin_id`, doc: docLink('plugin-info') }),
          _embedded: { plugin_info: listed.map((plugin) => pluginJson(plugin, base)) },
        };
        return tagged(body, listed);
      },
    },
    {
      ...common,
      path: `${PATH}/:plugin_id`,
      description: { chapter, summary: 'Show a plugin', response: PLUGIN_SCHEMA, hasEtag: true },
      handle: ({ base, params: { plugin_id: id = '' } }) => {
        const plugin = plugins.find((one) => one.id === id);
        if (!plugin) throw new Refusal('notFound', `Plugin with id '${id}' was not found!`);
        return tagged(pluginJson(plugin, base), [plugin]);
      },
    },
  ];
}

function tagged(body: JsonOut, plugins: readonly Plugin[]): Answer {
  return jsonAnswer(body, { etag: sha256(plugins.map(({ id, version }) => `${id} ${version}`).join('\n')) });
}

function pluginJson(plugin: Plugin, base: string): JsonOut {
  const { id, name, version, description, vendor, kind, capabilities, blocks } = plugin;
  const settings = Object.entries(blocks).map(([block, { fields }]: [string, SettingsBlock]) => [
    `${block}_settings`,
    { configurations: fields.map(({ key, required = false, secure = false }) => ({ key, metadata: { required, secure } })) },
  ]);
  return {
    _links: links(base, { self: `${PATH}/${encodeURIComponent(id)}`, doc: docLink('plugin-info'), find: `${PATH}/:plugin_id` }),
    id,
    status: { state: 'active' },
    bundled_plugin: true,
    about: { name, version, description, vendor: { name: vendor, url: '' } },
    extensions: [{ type: kind, ...(capabilities && { capabilities: { ...capabilities } }), ...Object.fromEntries(settings) }],
  };
}

const PLUGIN_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    status: { type: 'object' },
    bundled_plugin: { type: 'boolean' },
    about: { type: 'object' },
    extensions: { type: 'array', items: { type: 'object' } },
  },
};
const LIST_SCHEMA = {
  type: 'object',
  properties: { _embedded: { type: 'object', properties: { plugin_info: { type: 'array', items: PLUGIN_SCHEMA } } } },
};
