// Config repos: repositories that hold pipelines as code.
import type { Field } from '../shape/field.ts';
import { checkedText, identifier, listOf } from '../shape/fields.ts';
import { isObject } from '../shape/json.ts';
import { messagesOf, STALE_ENTITY } from '../shape/messages.ts';
import { must, type Problem } from '../shape/problem.ts';
import type { Property } from '../shape/properties.ts';
import { properties } from '../shape/properties.ts';
import { missing, readList, readObject, report } from '../shape/reading.ts';
import { collection } from '../shape/resource.ts';
import { variantCodec } from '../shape/variant.ts';
import { autoUpdateMark } from './parts/auto-update.ts';
import {
  autoUpdate,
  REPOSITORY_FIELDS,
  type Repository,
  repositoryIdentity,
  repositoryProblems,
  shownRepository,
} from './parts/materials.ts';

/** The id of the config repo takes the place of a name. */
const name: Field<null> = {
  read: (place, member) => {
    if ((place.holder[member] ?? null) !== null)
      report(place, member, 'A name is not accepted here: the id of the config repo takes its place.');
    return null;
  },
  write: (_, member, out) => {
    out[member] = null;
  },
  describe: (member) => ({ request: {}, response: { [member]: { type: 'null' } } }),
};

const materialCodec = variantCodec(
  {
    git: { name, autoUpdate, ...REPOSITORY_FIELDS.git },
    hg: { name, autoUpdate, ...REPOSITORY_FIELDS.hg },
    svn: { name, autoUpdate, ...REPOSITORY_FIELDS.svn },
    p4: { name, autoUpdate, ...REPOSITORY_FIELDS.p4 },
    tfs: { name, autoUpdate, ...REPOSITORY_FIELDS.tfs },
  },
  {
    unsupported: (type) =>
      `Your request could not be processed. Unsupported material type: ${type}. It has to be one of 'git, hg, svn, p4 and tfs'.`,
  },
);

const material: Field<Repository> = {
  read: (place, member) => {
    const before = place.reading.problems.length;
    const holder = readObject(place, member);
    if (!holder) {
      if (place.reading.problems.length === before) missing(place, member);
      return materialCodec.read({ type: 'git', attributes: {} }, [...place.path, member], { ...place.reading, problems: [] });
    }
    return materialCodec.read(holder, [...place.path, member], place.reading);
  },
  write: (value, member, out, writing) => {
    out[member] = materialCodec.write(value as never, writing);
  },
  describe: (member) => ({ request: { [member]: materialCodec.schema }, response: { [member]: materialCodec.schema }, required: [member] }),
};

const TYPES = ['pipeline', 'pipeline_group', 'environment'];

const rules = listOf(
  {
    directive: checkedText({ description: '`allow` or `deny`.' }),
    action: checkedText({ description: '`refer`.' }),
    type: checkedText({ description: '`environment`, `pipeline`, `pipeline_group` or `*`.' }),
    resource: checkedText({ description: 'A name; `*` and `?` are wildcards.' }),
  },
  { description: 'What the definitions in the repository may refer to; the first rule that matches decides, and none means no.' },
);

const settings = properties({ owner: 'Configuration repository', valueErrorKey: 'value' });

/** As settings of a plugin, but the sender may say what is secret. */
const configuration: Field<readonly Property[]> = {
  ...settings,
  read: (place, name) => {
    const secretKeys = new Set(
      (readList(place, name) ?? []).flatMap((entry) =>
        isObject(entry) && (isTrue(entry.is_secure) || isTrue(entry.secure)) ? [entry.key] : [],
      ),
    );
    const { reading } = place;
    return settings.read(
      { ...place, reading: { ...reading, isSecretSetting: (key) => secretKeys.has(key) || reading.isSecretSetting(key) } },
      name,
    );
  },
};

export const configRepos = collection({
  title: 'Config repo',
  about: 'A repository that holds pipelines as code, read by a plugin.',
  path: '/api/admin/config_repos',
  version: 4,
  since: '17.12.0',
  permission: 'admin',
  policy: { type: 'config_repo' },
  doc: 'config-repos',
  links: ['self', 'doc', 'find'],
  listLinks: ['self'],
  listKey: 'config_repos',
  id: 'id',
  idParameter: 'id',
  needsIfMatch: true,
  fields: {
    id: identifier(),
    pluginId: checkedText({ description: 'The plugin that reads the files.' }),
    material,
    configuration,
    rules,
  },
  plugin: {
    kind: 'configrepo',
    block: 'configuration',
    settings: 'configuration',
    of: (repo) => repo.pluginId,
    otherKind: (id) => `Invalid plugin id: ${id}`,
  },
  rules: [
    ({ pluginId }) => must(pluginId.trim() !== '', 'pluginId', 'Configuration repository cannot have a blank plugin id.'),
    ({ material: polled }) => repositoryProblems(polled, ['material', 'attributes']),
    ({ configuration: given }) =>
      given.flatMap(({ value }, index) =>
        must(value !== undefined, ['configuration', index, 'value'], 'Give the property a `value` or an `encrypted_value`.'),
      ),
    ({ rules: given }) => given.flatMap(ruleProblems),
  ],
  marks: ({ material: polled }) => [autoUpdateMark(polled, (polled.attributes as unknown as { autoUpdate: boolean }).autoUpdate)],
  claims: ({ material: polled }) => [
    {
      to: repositoryIdentity(polled),
      at: ['material'],
      taken: `You have defined multiple configuration repositories with the same repository - '${shownRepository(polled)}'.`,
    },
  ],
  messages: {
    ...messagesOf({ entity: 'config repo', by: 'id', short: 'config-repo', tag: 'config-repo' }),
    duplicateId: () => 'ConfigRepo ids should be unique. A ConfigRepo with the same id already exists.',
    blankId: {
      message: "Validations failed for config-repo ''. Error(s): [Validation failed.]. Please correct and resubmit.",
      beside: 'Configuration repository id not specified',
    },
    stale: () => STALE_ENTITY,
  },
  example: {
    id: 'team-a',
    plugin_id: 'yaml.config.plugin',
    material: { type: 'git', attributes: { url: 'https://scm.example.org/a.git', branch: 'main' } },
    configuration: [{ key: 'file_pattern', value: 'ci/*.yaml' }],
    rules: [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: 'team-a*' }],
  },
});

function isTrue(value: unknown): boolean {
  return String(value).toLowerCase() === 'true';
}

function ruleProblems(
  { directive, action, type, resource }: { directive: string; action: string; type: string; resource: string },
  index: number,
): Problem[] {
  const at = (key: string) => ['rules', index, key];
  return [
    ...must(directive === 'allow' || directive === 'deny', at('directive'), "Invalid directive, must be either 'allow' or 'deny'."),
    ...must(['refer', '*'].includes(action.toLowerCase()), at('action'), 'Invalid action, must be one of [refer].'),
    ...must(type === '*' || TYPES.includes(type.toLowerCase()), at('type'), `Invalid type, must be one of [${TYPES.join(', ')}].`),
    ...must(resource.trim() !== '', at('resource'), 'Resource cannot be blank.'),
  ];
}
