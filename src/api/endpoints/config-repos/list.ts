// All config repos with the state of their parsing, for a page that shows them.
import type { Identity } from '../../../access/identity.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, embedded, FLAG, LINKS, MAYBE_TEXT, objectSchema, TEXT, TEXTS, TIME } from '../../../shape/json/schemas.ts';
import { answerExample, EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { guardsOf, visibleTo } from '../../engine/guards.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { versionsOf } from '../../engine/resource-route.ts';
import { responseSchema } from '../../engine/resource-schemas.ts';
import type { Route } from '../../engine/route.ts';
import { links } from '../common/links.ts';
import { CHAPTER, configRepoKind } from './config-repo-route.ts';

/** As far as something was parsed, or went wrong. */
export interface ParseInfo {
  readonly latest: object | null;
  readonly good: object | null;
  readonly error: string | null;
}

export interface ConfigRepoListParts extends ResourceParts {
  isUpdating(id: string): Promise<boolean>;
  /** undefined: nothing was ever parsed, nor went wrong. */
  parseInfoOf(id: string): ParseInfo | undefined;
}

const PATH = '/api/internal/config_repos';
/** Names that people can choose from when they write rules. */
const COMPLETED = ['environment', 'pipeline_group', 'pipeline'];

const MODIFICATION = objectSchema(
  {
    username: described(MAYBE_TEXT, 'Who made the change.'),
    email_address: described(MAYBE_TEXT, 'Their mail address.'),
    revision: described(TEXT, 'The revision in the repository, such as a commit id.'),
    comment: described(MAYBE_TEXT, 'The commit message.'),
    modified_time: described(TIME, 'When it was made.'),
  },
  { title: 'Modification of a config repo' },
);
const orNull = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: 'null' }] });
const PARSE_INFO: JsonSchema = {
  type: 'object',
  description: 'Empty when nothing was parsed yet, and nothing went wrong.',
  properties: {
    latest_parsed_modification: { ...orNull(MODIFICATION), description: 'The last one that was tried.' },
    good_modification: { ...orNull(MODIFICATION), description: 'The last one that came into force.' },
    error: { ...MAYBE_TEXT, description: 'Why the last one did not.' },
  },
};
const EXAMPLE_MODIFICATION = {
  username: 'Ann Other <ann@example.org>',
  email_address: null,
  revision: '3f2a9c0e6d5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f',
  comment: 'Deploy after the build',
  modified_time: EXAMPLE_TIME,
};

export function configRepoListRoute(parts: ConfigRepoListParts): Route {
  const { config, access, renderer } = parts;
  const kind = configRepoKind(config);
  /** The names of each kind, as far as the user may see the entities. */
  const completions = (identity: Identity) => {
    const isVisible = visibleTo(identity, config.collection('environments'), access) ?? (() => true);
    const names = [
      [...config.of('environments').all()].filter(isVisible),
      [...config.of('pipelineGroups').all()].filter(({ value }) => access.mayViewGroup(identity, value.name)),
      [...config.of('pipelines').all()].filter(({ value: { group, name } }) => access.mayView(identity, { group, pipeline: name })),
    ];
    return COMPLETED.map((key, index) => ({ key, value: names[index]!.map(({ value }) => String(value.name)) }));
  };
  return {
    method: 'GET',
    path: PATH,
    ...versionsOf(kind),
    permission: kind.permission,
    guard: guardsOf(kind, config).list!,
    description: {
      chapter: CHAPTER,
      summary: 'List of all config repos with the state of their parsing',
      response: () => listSchema(responseSchema(kind)),
      example: () => exampleList(answerExample(kind, parts)),
      hasEtag: true,
    },
    handle: async ({ identity, base }) => {
      const isVisible = visibleTo(identity, kind, access) ?? (() => true);
      const shown = [...config.of(kind.name).all()].filter(isVisible).map((entry) => ({ entry, id: entry.value.id }));
      const members = await Promise.all(
        shown.map(async ({ entry, id }) =>
          withState(renderer.one(kind, entry, base).text, await parts.isUpdating(id), parts.parseInfoOf(id)),
        ),
      );
      const text = `{"_links":${JSON.stringify(listLinks(base))},"_embedded":{"config_repos":[${members.join(',')}]},"auto_completion":${JSON.stringify(completions(identity))}}`;
      return { status: 200, text, bytes: Buffer.byteLength(text) };
    },
  };
}

/** The text of the repo with its state as its last members. */
function withState(repo: string, isUpdating: boolean, info: ParseInfo | undefined): string {
  const state = JSON.stringify({ material_update_in_progress: isUpdating, parse_info: parseInfoJson(info) });
  return `${repo.slice(0, -1)},${state.slice(1)}`;
}

function parseInfoJson(info: ParseInfo | undefined): object {
  return info ? { latest_parsed_modification: info.latest, good_modification: info.good, error: info.error } : {};
}

function listLinks(base: string): JsonOut {
  return links(base, { self: PATH });
}

function listSchema({ title: _, properties, required = [], ...repo }: JsonSchema): JsonSchema {
  const own = {
    material_update_in_progress: described(FLAG, 'Whether it is being brought up to date.'),
    parse_info: PARSE_INFO,
  };
  const member: JsonSchema = {
    ...repo,
    title: 'Config repo with the state of its parsing',
    required: [...required, ...Object.keys(own)],
    properties: { ...properties, ...own },
  };
  return objectSchema({
    _links: LINKS,
    _embedded: embedded({ config_repos: { type: 'array', items: member, description: 'The entries of the list.' } }),
    auto_completion: {
      type: 'array',
      description: 'Names that rules can refer to, as far as the caller may see what they stand for.',
      items: objectSchema(
        { key: { enum: COMPLETED, description: 'What the names stand for.' }, value: described(TEXTS, 'The names.') },
        { title: 'Names of one kind' },
      ),
    },
  });
}

function exampleList(repo: JsonOut): JsonOut {
  const info = { latest: EXAMPLE_MODIFICATION, good: EXAMPLE_MODIFICATION, error: null };
  return {
    _links: listLinks(EXAMPLE_BASE),
    _embedded: { config_repos: [{ ...repo, material_update_in_progress: false, parse_info: parseInfoJson(info) as JsonOut }] },
    auto_completion: [
      { key: 'environment', value: ['qa'] },
      { key: 'pipeline_group', value: ['team-a'] },
      { key: 'pipeline', value: ['build', 'deploy'] },
    ],
  };
}
