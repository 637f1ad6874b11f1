// A patch of an environment: pipelines and variables to add and to remove, of its own part alone.
import { Refusal } from '../../kit/refusal.ts';
import { writeFields } from '../../shape/field.ts';
import type { JsonObject, JsonSchema } from '../../shape/json/json.ts';
import { type Reading, readList, readObject, readTexts } from '../../shape/json/reading.ts';
import { withFiles } from '../../shape/problems/files-in-repos.ts';
import { annotate, type Problem } from '../../shape/problems/problem.ts';
import type { Lookup, ReferrersView } from '../../shape/resource.ts';
import { type OwnEnvironment, type PartsView, partsOf } from './environment-union.ts';
import { environmentVariables, PARSING_PROBLEMS, readVariables, type Variable, variableSchema } from './environment-variables.ts';
import { type Origin, type SourcesView, sourceOf } from './origin.ts';

type View = ReferrersView & PartsView & SourcesView & { readonly pipelines: Pick<Lookup<unknown>, 'has'> };

export const unknownPipeline = (environment: string, pipeline: string): string =>
  `Environment '${environment}' refers to an unknown pipeline '${pipeline}'.`;

export const patchSchema = {
  type: 'object',
  properties: {
    pipelines: additionsAndRemovals({ type: 'string' }, 'pipelines'),
    environment_variables: additionsAndRemovals(variableSchema, 'variables'),
  },
};

function additionsAndRemovals(added: JsonSchema, what: string) {
  return {
    type: 'object',
    description: `Changes of the ${what}.`,
    properties: {
      add: { type: 'array', items: added, description: `The ${what} to add.` },
      remove: { type: 'array', items: { type: 'string' }, description: `Names of the ${what} to remove.` },
    },
  };
}

/** The entries of an environment that config repos define, with their places. */
interface Remote {
  readonly pipelines: ReadonlyMap<string, DefinedIn>;
  readonly variables: ReadonlyMap<string, DefinedIn>;
}

interface DefinedIn {
  readonly source: string;
  readonly origin: Origin;
}

function remoteIn({ name }: OwnEnvironment, view: View): Remote {
  const parts = partsOf(name, view).map((part) => ({ part, definedIn: { source: sourceOf(part.origin, view), origin: part.origin! } }));
  return {
    pipelines: new Map(parts.flatMap(({ part, definedIn }) => part.pipelines.map((pipeline) => [pipeline.toLowerCase(), definedIn]))),
    variables: new Map(parts.flatMap(({ part, definedIn }) => part.environmentVariables.map((variable) => [variable.name, definedIn]))),
  };
}

function notOwn(what: string, environment: string, { source, origin }: DefinedIn): string {
  const message = `${what} cannot be removed from environment '${environment}' as the association has been defined remotely in [${source}]`;
  return withFiles(message, 'Change', [origin]);
}

export function patchEnvironment(current: OwnEnvironment, body: JsonObject, reading: Reading, view: View): OwnEnvironment {
  const remote = remoteIn(current, view);
  const cursor = { holder: body, path: [], reading };
  const forPipelines = readObject(cursor, 'pipelines');
  const forVariables = readObject(cursor, 'environment_variables');
  if (!forPipelines && !forVariables && reading.problems.length === 0) {
    const message = "Specify at least one of the properties 'pipelines' and 'environment_variables'.";
    reading.problems.push({ at: ['pipelines'], message, unreadable: true });
  }
  const pipelines = patchPipelines(current, forPipelines ?? {}, reading, remote);
  const { added, unread } = readAdded(forVariables ?? {}, reading);
  const environmentVariables = patchVariables(current, added, forVariables ?? {}, reading, remote);
  if (unread.some(({ message }) => PARSING_PROBLEMS.has(message)))
    throw notParsed(added, [...unread, ...reading.problems, ...unknownAmong(pipelines, current, view)], reading);
  reading.problems.push(...unread.map((problem) => movedToPatched(environmentVariables, added, problem)));
  return { ...current, pipelines, environmentVariables };
}

function patchPipelines({ name, pipelines }: OwnEnvironment, operations: JsonObject, reading: Reading, remote: Remote): string[] {
  const cursor = { holder: operations, path: ['pipelines'], reading };
  const patched = new Map(pipelines.map((pipeline) => [pipeline.toLowerCase(), pipeline]));
  for (const pipeline of readTexts(cursor, 'add') ?? []) {
    if (patched.has(pipeline.toLowerCase()) || remote.pipelines.has(pipeline.toLowerCase()))
      reading.problems.push({ at: ['pipelines'], message: `Cannot add pipeline '${pipeline}' to the environment`, malformed: true });
    else patched.set(pipeline.toLowerCase(), pipeline);
  }
  for (const pipeline of readTexts(cursor, 'remove') ?? []) {
    if (patched.delete(pipeline.toLowerCase())) continue;
    const elsewhere = remote.pipelines.get(pipeline.toLowerCase());
    const what = `Pipeline '${pipeline}'`;
    const message = elsewhere ? notOwn(what, name, elsewhere) : `${what} does not exist in environment '${name}'`;
    reading.problems.push({ at: ['pipelines'], message });
  }
  return [...patched.values()];
}

function readAdded(operations: JsonObject, reading: Reading): { readonly added: readonly Variable[]; readonly unread: readonly Problem[] } {
  const unread: Problem[] = [];
  const list = readList({ holder: operations, path: ['environment_variables'], reading }, 'add') ?? [];
  return { added: readVariables(list, ['environment_variables'], { ...reading, problems: unread }), unread };
}

/** GoCD answers these with the variables that were sent, not with the environment. */
function notParsed(added: readonly Variable[], problems: readonly Problem[], { secrets }: Reading): Refusal {
  const message = problems.find((problem) => problem.unreadable)?.message ?? 'Error parsing patch request';
  const sent = writeFields({ environmentVariables: environmentVariables() }, { environmentVariables: added }, { base: undefined, secrets });
  return new Refusal('invalid', message, { data: annotate(sent, problems) });
}

/** The unknown pipelines of a patch that cannot be parsed; of any other patch, the checks of the environment find them. */
function unknownAmong(pipelines: readonly string[], { name }: OwnEnvironment, view: View): Problem[] {
  return pipelines
    .filter((pipeline) => !view.pipelines.has(pipeline))
    .map((pipeline) => ({ at: ['pipelines'], message: unknownPipeline(name, pipeline) }));
}

/** A problem with a variable that was sent, reported beside it in the environment that comes out. */
function movedToPatched(patched: readonly Variable[], added: readonly Variable[], problem: Problem): Problem {
  const [list = '', index, ...rest] = problem.at;
  const position = patched.indexOf(added[Number(index)]!);
  return { ...problem, at: position < 0 ? [list] : [list, position, ...rest] };
}

function patchVariables(
  { name, environmentVariables }: OwnEnvironment,
  added: readonly Variable[],
  operations: JsonObject,
  reading: Reading,
  remote: Remote,
): readonly Variable[] {
  const cursor = { holder: operations, path: ['environment_variables'], reading };
  const patched = [...environmentVariables, ...added];
  // Of several with one name the first goes: adding and removing the same name replaces it.
  const byName = Map.groupBy(patched, (variable) => variable.name);
  const removed = new Set<Variable>();
  for (const variable of readTexts(cursor, 'remove') ?? []) {
    const first = byName.get(variable)?.shift();
    const elsewhere = remote.variables.get(variable);
    if (first) removed.add(first);
    else {
      const what = `Environment variable with name '${variable}'`;
      const message = elsewhere ? notOwn(what, name, elsewhere) : `${what} does not exist in environment '${name}'`;
      reading.problems.push({ at: ['environment_variables'], message });
    }
  }
  return patched.filter((variable) => !removed.has(variable));
}
