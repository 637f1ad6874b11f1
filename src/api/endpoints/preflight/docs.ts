// How preflight is described, and how its result is written.

import type { PublishingPlan } from '../../../config-repos/preflight/plan.ts';
import type { PreflightOutcome } from '../../../config-repos/preflight/preflight.ts';
import { FILES_FIELD, MAX_FOLDER_DEPTH, MAX_SENT_BYTES, MAX_SENT_FILES } from '../../../config-repos/preflight/sent-files.ts';
import { asRepoError } from '../../../config-repos/publish/publication.ts';
import { moreText, type ReportedError, reportedErrors } from '../../../config-repos/publish/repo-error.ts';
import { problemsForPreflight } from '../../../formats/problem-texts.ts';
import { firstThatFit, truncate } from '../../../kit/text/truncate.ts';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { CHAPTER } from '../config-repos/config-repo-route.ts';
import { MISTAKES } from '../config-repos/error-schema.ts';

export const NO_FILES = `No file content provided; check to make sure you POST the form data as \`${FILES_FIELD}=\``;

/** The answer lists all mistakes that fit into a bearable size, so that the user can correct them at once. */
const ROOM = { characters: 1_000_000 };

export interface PreflightJson {
  readonly errors: readonly string[];
  readonly valid: boolean;
  /** The messages of `errors`, with their places. */
  readonly problems?: readonly ReportedError[];
  readonly warnings?: readonly ReportedError[];
  readonly plan?: PublishingPlan | null;
}

/** Clients that know nothing of places find the members they know, and nothing else while all is well. */
export function preflightJson({ problems, refusals, warnings, plan }: PreflightOutcome, wantsPlan: boolean): PreflightJson {
  const errors = problems.length > 0 ? problemTexts(problems) : refusalTexts(refusals);
  const mistakes = reportedErrors([...problems, ...refusals.map(asRepoError)], ROOM);
  return {
    errors,
    valid: errors.length === 0,
    ...(mistakes.length > 0 && { problems: mistakes }),
    ...(warnings.length > 0 && { warnings: reportedErrors(warnings, ROOM) }),
    ...(wantsPlan && { plan: plan ?? null }),
  };
}

function problemTexts(problems: PreflightOutcome['problems']): readonly string[] {
  const first = firstThatFit(problems, ({ location, message }) => location.length + message.length, ROOM);
  return [[problemsForPreflight(first), ...restText(problems, first)].join('\n\n')];
}

function refusalTexts(refusals: PreflightOutcome['refusals']): readonly string[] {
  const messages = refusals.values().map(({ message }) => truncate(message));
  const first = firstThatFit(messages, ({ length }) => length, ROOM);
  return [...new Set(first), ...restText(refusals, first)];
}

function restText(all: readonly unknown[], first: readonly unknown[]): readonly string[] {
  return all.length > first.length ? [moreText(all.length - first.length)] : [];
}

export function missingParameter(name: string): string {
  return `Request is missing parameter \`${name}\``;
}

export function noSuchPlugin(id: string): string {
  return `Did not find 'configrepo' plugin with id '${id}'. Looks like plugin is missing`;
}

const names = (description: string): JsonSchema => ({ type: 'array', items: TEXT, description });
const effectsOn = (what: string): JsonSchema =>
  described(
    objectSchema({
      created: names('Those that would be created.'),
      changed: names('Those that would be changed.'),
      deleted: names('Those that would be deleted.'),
    }),
    `What happens to ${what}.`,
  );
const PLAN: JsonSchema = {
  ...objectSchema(
    {
      pipelines: effectsOn('pipelines'),
      pipeline_groups: effectsOn('pipeline groups'),
      environments: effectsOn('environments'),
      scms: effectsOn('SCMs'),
    },
    { title: 'Plan of a publication' },
  ),
  type: ['object', 'null'],
  description: 'What would change, by name. Only with `plan=true`; null when there are errors.',
};
const PROBLEMS: JsonSchema = { ...MISTAKES, description: 'Every error with its place; absent: there are none.' };
const WARNINGS: JsonSchema = { ...MISTAKES, description: 'What in the files has no effect or was skipped; absent: nothing.' };
const EXAMPLE_FILE = `pipelines:
  manual:
    group: shop
    materials:
      code:
        git: https://scm.example.org/manual.git
    stages:
      - build:
          tasks:
            - exec:
                command: make
`;

export const PREFLIGHT_DESCRIPTION: RouteDescription = {
  chapter: CHAPTER,
  summary: 'Check files before they are committed to a config repo',
  details: [
    `The files are sent as parts of a form, all of the name \`${FILES_FIELD}\`, and count as the whole new content of the repo. Problems of the files themselves are reported first; ` +
      'if there are none, the files are merged with the current configuration. Nothing is changed.',
    'With `repoId` they replace the definitions of that repo; without it they belong to a new repo. With `repoId` the rules of the repo are checked, too, but not its file patterns.',
    'With `ref` no files are sent: a branch or commit of the repo is read with its file patterns and checked by its rules, as it would be if it were published.',
    'Besides `errors`, `problems` says the same with file, line, column, the entity and a hint, and `warnings` lists what is harmless.',
    `At most ${MAX_SENT_FILES} files are accepted, with at most ${MAX_FOLDER_DEPTH} folders in a name.`,
  ].join('\n\n'),
  query: {
    pluginId: { ...TEXT, description: 'The plugin that reads the files. Required without `ref`.', example: 'yaml.config.plugin' },
    repoId: { ...TEXT, description: 'The config repo to which the files belong; absent or empty: a new one.' },
    ref: { ...TEXT, description: 'A branch or a whole commit id of that config repo to check instead of files.' },
    plan: { ...FLAG, default: false, description: 'Whether to show what would be created, changed and deleted.' },
  },
  bodies: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          [FILES_FIELD]: { type: 'array', items: { ...TEXT, format: 'binary' }, description: 'The files, each with its name.' },
        },
      },
      example: { [FILES_FIELD]: [EXAMPLE_FILE] },
    },
  },
  response: objectSchema(
    { errors: names('The errors, in words.'), valid: described(FLAG, 'Whether there are no errors.') },
    { title: 'Preflight result', others: { problems: PROBLEMS, warnings: WARNINGS, plan: PLAN } },
  ),
  example: { errors: [], valid: true },
  changes: 'nothing',
  failures: {
    400: { when: 'A parameter is missing or not valid, or the form is cut off.', example: { message: missingParameter('pluginId') } },
    404: { when: 'There is no such config repo or plugin, or the Accept header asks for a version that does not exist.' },
    413: { when: `All files together have more than ${MAX_SENT_BYTES} bytes, or a single one or their number is too large.` },
    415: {
      when: 'The body is compressed in an unknown way; only gzip is supported.',
      example: { message: "The request body is compressed with 'br'; only gzip is supported." },
    },
    422: { when: 'A file has a name that no file of a repository could have, two files have one name, or the `ref` cannot be read.' },
  },
};
