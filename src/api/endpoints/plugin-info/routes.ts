// The plugins of this server, and the settings they take.
import type { Plugin, SettingField, SettingsBlock } from '../../../contracts/plugins/plugin.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { neededKeys } from '../../../plugins/check-settings.ts';
import { choiceList } from '../../../shape/described.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, embeddedSchema, FLAG, LINKS, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { settingLabel } from '../common/labels.ts';
import { docLink, links } from '../common/links.ts';

const PATH = '/api/admin/plugin_info';

export function pluginInfoRoutes(plugins: readonly Plugin[]): Route[] {
  const common = { method: 'GET', version: 7, alsoVersions: [6], permission: 'user' } as const;
  const chapter = 'plugin-info';
  const [first] = plugins;
  return [
    {
      ...common,
      path: PATH,
      description: {
        chapter,
        summary: 'List of plugins',
        query: { type: { ...TEXT, description: 'Only plugins of this kind.' } },
        response: embeddedSchema('plugin_info', PLUGIN_SCHEMA),
        example: listJson(plugins.slice(0, 1), EXAMPLE_BASE),
        hasEtag: true,
      },
      handle: ({ base, query }) => {
        const type = query.get('type');
        const listed = plugins.filter((plugin) => type === null || plugin.kind === type);
        return jsonAnswer(listJson(listed, base));
      },
    },
    {
      ...common,
      path: `${PATH}/:plugin_id`,
      description: {
        chapter,
        summary: 'Show a plugin',
        parameters: { plugin_id: { description: 'The id of the plugin.', example: first?.id ?? '' } },
        response: PLUGIN_SCHEMA,
        ...(first && { example: pluginJson(first, EXAMPLE_BASE) }),
        hasEtag: true,
        failures: { 404: { example: { message: unknownPlugin('unknown') } } },
      },
      handle: ({ base, params: { plugin_id: id = '' } }) => {
        const plugin = plugins.find((one) => one.id === id);
        if (!plugin) throw new Refusal('notFound', unknownPlugin(id));
        return jsonAnswer(pluginJson(plugin, base));
      },
    },
  ];
}

const unknownPlugin = (id: string) => `Plugin with id '${id}' was not found!`;

function listJson(plugins: readonly Plugin[], base: string): JsonOut {
  return {
    _links: links(base, { self: PATH, find: `${PATH}/:plugin_id`, doc: docLink('plugin-info') }),
    _embedded: { plugin_info: plugins.map((plugin) => pluginJson(plugin, base)) },
  };
}

/** The first two are those of GoCD; forms need the rest. */
function settingJson(field: SettingField, isNeeded: boolean): JsonOut {
  const { key, required = false, secure = false, label, title, kind = 'text', defaultValue, choices, description } = field;
  return {
    key,
    metadata: { required, secure },
    optional: !isNeeded,
    label: title ?? label ?? settingLabel(key),
    kind: choices ? 'choice' : kind,
    default: defaultValue ?? null,
    choices: choices ? choiceList(choices) : [],
    description: description ?? null,
  };
}

function pluginJson(plugin: Plugin, base: string): JsonOut {
  const { id, name, version, description, vendor, kind, capabilities, blocks } = plugin;
  const settings = Object.entries(blocks).map(([name, block]: [string, SettingsBlock]) => {
    const needed = neededKeys(block);
    return [`${name}_settings`, { configurations: block.fields.map((field) => settingJson(field, needed.has(field.key))) }];
  });
  return {
    _links: links(base, { self: `${PATH}/${encodeURIComponent(id)}`, doc: docLink('plugin-info'), find: `${PATH}/:plugin_id` }),
    id,
    status: { state: 'active' },
    bundled_plugin: !plugin.isExternal,
    about: { name, version, description, vendor: { name: vendor, url: '' } },
    extensions: [{ type: kind, ...(capabilities && { capabilities: { ...capabilities } }), ...Object.fromEntries(settings) }],
  };
}

const CHOICE_SCHEMA = objectSchema({ value: described(TEXT, 'What is sent.'), label: described(TEXT, 'Its name for people.') });
const SETTINGS_SCHEMA = objectSchema(
  {
    configurations: {
      type: 'array',
      description: 'The settings it takes.',
      items: objectSchema({
        key: described(TEXT, 'The name of the setting.'),
        metadata: described(
          objectSchema({ required: described(FLAG, 'Whether it must be there.'), secure: described(FLAG, 'Whether it is a secret.') }),
          'What is known of it.',
        ),
        optional: described(FLAG, 'Whether it can be left empty. `required` says less: some plugins check that themselves.'),
        label: described(TEXT, 'Its name for people.'),
        kind: { enum: ['text', 'multiline', 'number', 'boolean', 'choice'], description: 'How it is filled in.' },
        default: described(MAYBE_TEXT, 'What counts where it is left out; null: nothing.'),
        choices: { type: 'array', items: CHOICE_SCHEMA, description: 'What can be chosen; empty: it is no choice.' },
        description: described(MAYBE_TEXT, 'What it is for; null: the label says it.'),
      }),
    },
  },
  { title: 'Plugin settings form' },
);
const EXTENSION_SCHEMA = {
  ...objectSchema(
    { type: described(TEXT, 'The kind of plugin.') },
    {
      others: {
        capabilities: { type: 'object', additionalProperties: { type: ['boolean', 'string'] }, description: 'What it can do, by name.' },
      },
    },
  ),
  additionalProperties: SETTINGS_SCHEMA,
  description: 'What it can do, and under `…_settings` the settings it takes.',
};
const PLUGIN_SCHEMA = objectSchema(
  {
    _links: LINKS,
    id: described(TEXT, 'By which configuration names it.'),
    status: described(objectSchema({ state: described(TEXT, '`active`.') }), 'Whether it can be used.'),
    bundled_plugin: described(FLAG, 'Whether it comes with the server.'),
    about: described(
      objectSchema({
        name: described(TEXT, 'Its name for people.'),
        version: described(TEXT, 'Its version.'),
        description: described(TEXT, 'What it is for.'),
        vendor: described(objectSchema({ name: described(TEXT, 'The name.'), url: described(TEXT, 'The home page.') }), 'Who made it.'),
      }),
      'What it says of itself.',
    ),
    extensions: { type: 'array', items: EXTENSION_SCHEMA, description: 'The kinds of plugin that it is.' },
  },
  { title: 'Plugin' },
);
