// The last attempts to bring revisions of a config repo into force.
import type { Config } from '../../../config/current.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, embeddedSchema, MAYBE_TEXT, objectSchema, TIME } from '../../../shape/json/schemas.ts';
import type { RecordedParse } from '../../../store/config-repos/parses.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { dateOf } from '../common/date-of.ts';
import { docLink, links } from '../common/links.ts';
import { numberIn } from '../common/number-in.ts';
import { CHAPTER, CONFIG_REPOS_PATH, configRepoRoute } from './config-repo-route.ts';
import { MISTAKES } from './error-schema.ts';

/** The newest first; `before`: only those with a lower id. */
export type ParsesOf = (id: string, limit: number, before?: number) => Promise<readonly RecordedParse[]>;

const DEFAULT_PAGE = 20;
const MAX_PAGE_SIZE = 100;
const COUNT: JsonSchema = { type: 'integer' };
const PARSE = objectSchema(
  {
    id: described(COUNT, 'Grows with every attempt.'),
    revision: { ...MAYBE_TEXT, description: 'null: the repository could not be reached.' },
    time: { ...TIME, description: 'When it began.' },
    outcome: {
      enum: ['published', 'no_files', 'unread', 'unparsed', 'refused'],
      description:
        '`published`: it is in force. `no_files`: it is, but no file is one that the plugin reads. `unread`: the repository or the files could not be read. ' +
        '`unparsed`: they could not be understood, or the plugin is not installed. `refused`: what they define does not fit into the configuration, or the rules do not allow it.',
    },
    files_matched: { ...COUNT, description: 'Files that the plugin reads.' },
    files_parsed: { ...COUNT, description: 'How many of them had changed, and were read.' },
    duration_ms: described(COUNT, 'How long it took, in milliseconds.'),
    errors: described(MISTAKES, 'What is wrong.'),
    warnings: { ...MISTAKES, description: 'What files say in vain, and what was passed over.' },
  },
  { title: 'Parse of a config repo' },
);
const EXAMPLE: RecordedParse = {
  id: 2,
  revision: '3f2a9c0e6d5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f',
  at: new Date(EXAMPLE_TIME),
  outcome: 'unparsed',
  matched: 1,
  parsed: 1,
  durationMs: 12,
  errors: [
    {
      file: 'build.gocd.yaml',
      line: 2,
      column: 1,
      entity: null,
      message: 'pipelnes is invalid, expected format_version, pipelines, environments, or common',
      hint: 'Did you mean pipelines?',
    },
  ],
  warnings: [],
};

export function configRepoParsesRoute(config: Config, parsesOf: ParsesOf): Route {
  return configRepoRoute(
    {
      method: 'GET',
      path: 'parses',
      version: 1,
      description: {
        summary: 'The last attempts to bring a config repo into force',
        details: 'The newest first. The last 100 of each repo are kept.',
        query: {
          page_size: { ...COUNT, minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE, description: 'How many at most.' },
          cursor: { ...COUNT, minimum: 1, description: 'Only those that came before the one with this id.' },
        },
        response: embeddedSchema('parses', PARSE),
        example: parsesJson(String(config.kind('configRepos').example.id), [EXAMPLE], EXAMPLE_BASE),
        hasEtag: true,
        failures: { 400: { when: 'page_size or cursor is not a number in its range.' } },
      },
      handle: async (id, { query, base }) => {
        const size = numberIn(query, 'page_size', { min: 1, max: MAX_PAGE_SIZE }) ?? DEFAULT_PAGE;
        const found = await parsesOf(id, size + 1, numberIn(query, 'cursor', { min: 1, max: Number.MAX_SAFE_INTEGER }));
        const shown = found.slice(0, size);
        const next = found.length > size ? `?page_size=${size}&cursor=${shown.at(-1)!.id}` : undefined;
        return jsonAnswer(parsesJson(id, shown, base, next));
      },
    },
    config,
  );
}

/** `next` is where the older ones are. */
function parsesJson(id: string, parses: readonly RecordedParse[], base: string, next?: string): JsonOut {
  const self = `${CONFIG_REPOS_PATH}/${encodeURIComponent(id)}/parses`;
  return {
    _links: links(base, { self, doc: docLink(CHAPTER), ...(next !== undefined && { next: self + next }) }),
    _embedded: { parses: parses.map(parseJson) },
  };
}

function parseJson({ id, revision, at, outcome, matched, parsed, durationMs, errors, warnings }: RecordedParse): JsonOut {
  return {
    id,
    revision: revision || null,
    time: dateOf(at),
    outcome: outcome === 'published' && matched === 0 ? 'no_files' : outcome,
    files_matched: matched,
    files_parsed: parsed,
    duration_ms: durationMs,
    errors: errors as JsonOut[],
    warnings: warnings as JsonOut[],
  };
}
