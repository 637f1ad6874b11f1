// Environments: pipelines that belong together, and the variables all their tasks get.
import { Refusal } from '../kit/refusal.ts';
import { writeFields } from '../shape/field.ts';
import { identifier } from '../shape/fields.ts';
import type { JsonObject } from '../shape/json.ts';
import { joined, messagesOf } from '../shape/messages.ts';
import { annotate, type Problem } from '../shape/problem.ts';
import { type Reading, readList, readObject, readTexts } from '../shape/reading.ts';
import { collection, type SeesReferrers } from '../shape/resource.ts';
import {
  BOTH_FORMS,
  environmentVariables,
  NOT_SECURE,
  readVariables,
  type Variable,
  variableNameProblems,
  variableSchema,
} from './parts/environment-variables.ts';
import { pipelineNames } from './parts/pipeline-names.ts';

interface Environment {
  readonly name: string;
  readonly pipelines: readonly string[];
  readonly environmentVariables: readonly Variable[];
}

const PARSING_PROBLEMS = new Set([BOTH_FORMS, NOT_SECURE]);

export const environments = collection({
  title: 'Environment config',
  about: 'Pipelines that belong together, and the variables that all their tasks get.',
  path: '/api/admin/environments',
  version: 3,
  since: '16.7.0',
  permission: 'admin',
  policy: { type: 'environment' },
  doc: 'environment-config',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'environments',
  id: 'name',
  idParameter: 'environment_name',
  ignoresCase: true,
  sorted: true,
  needsIfMatch: true,
  fields: {
    name: identifier(
      (name) =>
        `failed to save : Environment name is invalid. "${name}" should conform to the pattern - [a-zA-Z0-9_\\-]{1}[a-zA-Z0-9_\\-.]*`,
    ),
    pipelines: pipelineNames(),
    environmentVariables: environmentVariables(),
  },
  refersTo: ({ name, pipelines }) =>
    pipelines.map((pipeline, index) => ({
      kind: 'pipelines',
      id: pipeline,
      at: ['pipelines', index, 'name'],
      unknown: `Environment '${name}' refers to an unknown pipeline '${pipeline}'.`,
    })),
  rules: [
    ({ name, environmentVariables }) => variableNameProblems(environmentVariables, 'environment_variables', `environment '${name}'`),
    ({ pipelines }) => repeatedPipelines(pipelines),
    ({ name, pipelines }, { referrers }: SeesReferrers) => pipelinesOfOthers(name, pipelines, referrers),
  ],
  patch: {
    request: {
      type: 'object',
      properties: {
        pipelines: additionsAndRemovals({ type: 'string' }),
        environment_variables: additionsAndRemovals(variableSchema),
      },
    },
    example: { environment_variables: { add: [{ name: 'REGION', value: 'south' }], remove: ['REGION'] } },
    apply: patchEnvironment,
  },
  messages: {
    ...messagesOf({ entity: 'environment', by: 'name', short: 'environment', tag: 'environment' }),
    duplicateId: (name) => `Environment name should be unique. Environment with name '${name}' already exists.`,
    blankId: {
      message: "Failed to add environment ''. Environment name must not be blank.",
      beside: 'Environment name must not be blank.',
    },
    invalid: (name, problems, operation) =>
      problems.some((problem) => PARSING_PROBLEMS.has(problem.message))
        ? 'Error parsing environment config from the request'
        : `Failed to ${operation === 'create' ? 'add' : 'update'} environment '${name}'. ${joined(problems)}`,
  },
  example: {
    name: 'staging',
    pipelines: [],
    environment_variables: [
      { name: 'REGION', value: 'north', secure: false },
      { name: 'DEPLOY_KEY', value: 'example-key', secure: true },
    ],
  },
});

function repeatedPipelines(pipelines: readonly string[]): Problem[] {
  const seen = new Set<string>();
  return pipelines.flatMap((pipeline, index) => {
    const isRepeated = seen.has(pipeline.toLowerCase());
    seen.add(pipeline.toLowerCase());
    return isRepeated ? [{ at: ['pipelines', index, 'name'], message: `Cannot add pipeline '${pipeline}' to the environment` }] : [];
  });
}

function pipelinesOfOthers(name: string, pipelines: readonly string[], referrers: SeesReferrers['referrers']): Problem[] {
  return pipelines.flatMap((pipeline, index) => {
    const other = [...referrers('pipelines', pipeline)].find(
      (referrer) => referrer.kind === 'environments' && referrer.id.toLowerCase() !== name.toLowerCase(),
    );
    if (!other) return [];
    return [{ at: ['pipelines', index, 'name'], message: `Associating pipeline(s) which is already part of ${other.id} environment` }];
  });
}

function additionsAndRemovals(added: object) {
  return { type: 'object', properties: { add: { type: 'array', items: added }, remove: { type: 'array', items: { type: 'string' } } } };
}

function patchEnvironment(current: Environment, body: JsonObject, reading: Reading): Environment {
  const place = { holder: body, path: [], reading };
  const forPipelines = readObject(place, 'pipelines');
  const forVariables = readObject(place, 'environment_variables');
  if (!forPipelines && !forVariables && reading.problems.length === 0) {
    const message = "Specify at least one of the properties 'pipelines' and 'environment_variables'.";
    reading.problems.push({ at: ['pipelines'], message, unreadable: true });
  }
  const pipelines = patchPipelines(current, forPipelines ?? {}, reading);
  const { added, unread } = readAdded(forVariables ?? {}, reading);
  const environmentVariables = patchVariables(current, added, forVariables ?? {}, reading);
  if (unread.length > 0) throw unreadable(added, [...unread, ...reading.problems]);
  return { ...current, pipelines, environmentVariables };
}

function patchPipelines({ name, pipelines }: Environment, operations: JsonObject, reading: Reading): string[] {
  const place = { holder: operations, path: ['pipelines'], reading };
  const patched = new Map(pipelines.map((pipeline) => [pipeline.toLowerCase(), pipeline]));
  for (const pipeline of readTexts(place, 'add') ?? []) {
    if (patched.has(pipeline.toLowerCase()))
      reading.problems.push({ at: ['pipelines'], message: `Cannot add pipeline '${pipeline}' to the environment`, malformed: true });
    else patched.set(pipeline.toLowerCase(), pipeline);
  }
  for (const pipeline of readTexts(place, 'remove') ?? []) {
    if (!patched.delete(pipeline.toLowerCase()))
      reading.problems.push({ at: ['pipelines'], message: `Pipeline '${pipeline}' does not exist in environment '${name}'` });
  }
  return [...patched.values()];
}

function readAdded(operations: JsonObject, reading: Reading): { readonly added: readonly Variable[]; readonly unread: readonly Problem[] } {
  const unread: Problem[] = [];
  const list = readList({ holder: operations, path: ['environment_variables'], reading }, 'add') ?? [];
  return { added: readVariables(list, ['environment_variables'], { ...reading, problems: unread }), unread };
}

/** The dialect answers what cannot be read with the variables that were sent, not with the environment. */
function unreadable(added: readonly Variable[], problems: readonly Problem[]): Refusal {
  const message = problems.find((problem) => problem.unreadable)?.message ?? 'Error parsing patch request';
  const sent = writeFields({ environmentVariables: environmentVariables() }, { environmentVariables: added }, { base: undefined });
  return new Refusal('invalid', message, { data: annotate(sent, problems) });
}

function patchVariables(
  { name, environmentVariables }: Environment,
  added: readonly Variable[],
  operations: JsonObject,
  reading: Reading,
): readonly Variable[] {
  const place = { holder: operations, path: ['environment_variables'], reading };
  const patched = [...environmentVariables, ...added];
  // Of several with one name the first goes: adding and removing the same name replaces it.
  const byName = Map.groupBy(patched, (variable) => variable.name);
  const removed = new Set<Variable>();
  for (const variable of readTexts(place, 'remove') ?? []) {
    const first = byName.get(variable)?.shift();
    if (first) removed.add(first);
    else
      reading.problems.push({
        at: ['environment_variables'],
        message: `Environment variable with name '${variable}' does not exist in environment '${name}'`,
      });
  }
  return patched.filter((variable) => !removed.has(variable));
}
