// Config repos: repositories that hold pipelines as code.
import { hasInvisibleCharacter, NO_INVISIBLE_CHARACTERS } from '../kit/text/invisible-characters.ts';
import { ofEachType, REPOSITORY_TYPES, type RepositoryType, type RepositoryTypes } from '../materials/types/list.ts';
import type { Field } from '../shape/field.ts';
import { checkedText, identifier } from '../shape/fields.ts';
import { isObject, type JsonObject, type JsonSchema } from '../shape/json/json.ts';
import { missing, readObject, report } from '../shape/json/reading.ts';
import { messagesOf, STALE_ENTITY } from '../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../shape/problems/problem.ts';
import { properties } from '../shape/properties.ts';
import { collection, type Lookup, type TagsView } from '../shape/resource.ts';
import { type VariantOf, variantCodec } from '../shape/variant.ts';
import { autoUpdateConflict, autoUpdateTag } from './parts/auto-update.ts';
import { autoUpdate, REPOSITORY_LABELS, repositoryIdentity, repositoryProblems, shownRepository } from './parts/materials.ts';
import type { Origin } from './parts/origin.ts';
import { ruleProblems, rulesOn } from './parts/rules.ts';

/** The id of the config repo takes the place of a name. */
const name: Field<null> = {
  read: (cursor, member) => {
    if ((cursor.holder[member] ?? null) !== null)
      report(cursor, member, 'A name is not accepted here: the id of the config repo takes its place.');
    return null;
  },
  write: (_, member, out) => {
    out[member] = null;
  },
  describe: (member) => ({
    request: {},
    response: { [member]: { type: 'null', description: 'Always null: the material of a config repo has no name.' } },
  }),
};

type MaterialVariants = {
  readonly [T in RepositoryType]: { readonly name: typeof name; readonly autoUpdate: typeof autoUpdate } & RepositoryTypes[T]['fields'];
};

const materialCodec = variantCodec(
  ofEachType<MaterialVariants>(({ fields }) => ({ name, autoUpdate, ...fields })),
  {
    labels: REPOSITORY_LABELS,
    unsupported: (type) =>
      `Your request could not be processed. Unsupported material type: ${type}. It has to be one of '${listed(Object.keys(REPOSITORY_TYPES))}'.`,
  },
);

/** a, b and c */
function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

type PolledRepository = VariantOf<MaterialVariants>;

const material: Field<PolledRepository> = {
  read: (cursor, member) => {
    const before = cursor.reading.problems.length;
    const holder = readObject(cursor, member);
    if (!holder) {
      if (cursor.reading.problems.length === before) missing(cursor, member);
      return materialCodec.read({}, [...cursor.path, member], { ...cursor.reading, problems: [] });
    }
    return materialCodec.read(withoutNulls(holder), [...cursor.path, member], cursor.reading);
  },
  write: (value, member, out, writing) => {
    out[member] = materialCodec.write(value, writing);
  },
  describe: (member) => {
    const described = (schema: JsonSchema) => ({ [member]: { ...schema, description: 'The repository.' } });
    const [request, response] = [materialCodec.schema('request'), materialCodec.schema('response')];
    return { request: described(request), response: described(response), required: [member] };
  },
};

interface View extends TagsView {
  readonly pipelines: Lookup<{ readonly origin: Origin | null }>;
}

const TYPES = { pipeline: 'Pipelines', pipeline_group: 'Pipeline groups', environment: 'Environments' };

const rules = rulesOn(TYPES, {
  description: 'What the definitions in the repository may refer to; the first rule that matches decides. Without one, nothing is allowed.',
});

const configuration = properties({
  owner: 'Configuration repository',
  plugin: { kind: 'configrepo', block: 'configuration', namedIn: ['plugin_id'] },
  sentTo: (member) => member('pluginId'),
  valueErrorKey: 'value',
  takesSecrets: true,
  valueless: 'Give the property a `value` or an `encrypted_value`.',
});

export const configRepos = collection({
  title: 'Config repo',
  about: 'A repository that holds pipelines as code, read by a plugin.',
  path: '/api/admin/config_repos',
  version: 4,
  alsoVersions: [3],
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
    meanwhile: 'is not read until the plugin is installed. What it defined before that stays in force.',
  },
  rules: [
    ({ pluginId }) => problemUnless(pluginId.trim() !== '', 'pluginId', 'Configuration repository cannot have a blank plugin id.'),
    ({ pluginId }) => problemUnless(!hasInvisibleCharacter(pluginId), 'plugin_id', NO_INVISIBLE_CHARACTERS),
    ({ material: polled }) => repositoryProblems(polled, ['material', 'attributes']),
    ({ rules: given }) => ruleProblems(given, TYPES),
    ({ id, material: polled }, view: View) => autoUpdateProblems(id, polled, view),
  ],
  tags: ({ material: polled }) => [autoUpdateTag(polled, polled.attributes.autoUpdate)],
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
    duplicateInFile: (id) => `You have defined multiple configuration repositories with the same id - '${id}'.`,
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

/** Null stands for left out, for flags too. */
function withoutNulls(material: JsonObject): JsonObject {
  const { attributes } = material;
  if (!isObject(attributes)) return material;
  return { ...material, attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) };
}

/** Other config repos with the same repository are refused anyway, so only pipelines can disagree. */
function autoUpdateProblems(id: string, polled: PolledRepository, { tagged, pipelines: all }: View): Problem[] {
  const at = ['material', 'attributes'];
  const isPolled = polled.attributes.autoUpdate;
  // Pipelines of this repo follow it; pipelines that say otherwise are reported when the repo is read again, which follows from the change.
  const pipelines = [...tagged(autoUpdateTag(polled, !isPolled))].filter(
    (other) => other.kind === 'pipelines' && all.get(other.id)?.origin?.repo !== id,
  );
  if (pipelines.length === 0 || repositoryProblems(polled, at).length > 0) return [];
  const others = pipelines.map((pipeline) => ({ id: pipeline.id, isPolled: !isPolled }));
  const message = autoUpdateConflict(polled, others, { id, isPolled });
  return [{ at: [...at, 'auto_update'], message }];
}
