// Environments: pipelines that belong together, and the variables all their tasks get.
import { writeFields } from '../shape/field.ts';
import { identifier, MAX_NAME_LENGTH } from '../shape/fields.ts';
import { isOfKind } from '../shape/is-of-kind.ts';
import { described, objectSchema, TEXT } from '../shape/json/schemas.ts';
import { type Dependent, joined, messagesOf } from '../shape/problems/messages.ts';
import type { Problem } from '../shape/problems/problem.ts';
import { collection, type Lookup, type ReferrersView } from '../shape/resource.ts';
import { patchEnvironment, patchSchema, unknownPipeline } from './parts/environment-patch.ts';
import { otherEnvironmentProblems, overlapProblems, type PartsView, partsOf, unionOf, withoutParts } from './parts/environment-union.ts';
import { environmentVariables, PARSING_PROBLEMS, variableNameProblems } from './parts/environment-variables.ts';
import { type Origin, origin, type SourcesView, sourceOf } from './parts/origin.ts';
import { pipelineNames } from './parts/pipeline-names.ts';

interface View extends ReferrersView, PartsView, SourcesView {
  readonly pipelines: Lookup<{ readonly origin: Origin | null }>;
}

/** The words of GoCD say nothing of the length. */
function invalidName(name: string): string {
  const pattern = `failed to save : Environment name is invalid. "${name}" should conform to the pattern - [a-zA-Z0-9_\\-]{1}[a-zA-Z0-9_\\-.]*`;
  return name.length > MAX_NAME_LENGTH ? `${pattern}, with at most ${MAX_NAME_LENGTH} characters` : pattern;
}

const UNITED = { pipelines: pipelineNames(), environmentVariables: environmentVariables() };

export const environments = collection({
  title: 'Environment config',
  label: 'Environment',
  about: 'Pipelines that belong together, and the variables that all their tasks get.',
  path: '/api/admin/environments',
  version: 3,
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
  isParsedFirst: true,
  fields: {
    name: identifier(invalidName),
    pipelines: pipelineNames(),
    environmentVariables: environmentVariables(),
  },
  refersTo: ({ name, pipelines }) =>
    pipelines.map((pipeline, index) => ({
      kind: 'pipelines',
      id: pipeline,
      at: ['pipelines', index, 'name'],
      unknown: unknownPipeline(name, pipeline),
    })),
  rules: [
    ({ name, environmentVariables }) => variableNameProblems(environmentVariables, 'environment_variables', `environment '${name}'`),
    ({ pipelines }) => repeatedPipelines(pipelines),
    (environment, view: View) => otherEnvironmentProblems(environment.name, environment, view),
    (environment, view: View) => overlapProblems(environment, partsOf(environment.name, view), view),
    ({ pipelines }, view: View) => remoteProblems(pipelines, view),
  ],
  shows: {
    kinds: ['environmentParts'],
    members: { kind: 'environmentParts', field: 'environment' },
    isPartOfEtag: true,
    response: {
      agents: {
        type: 'array',
        description: 'Agents that config repos have put into the environment; absent: none.',
        items: objectSchema(
          { uuid: described(TEXT, 'The id of the agent.'), ...origin.describe('origin').response },
          { title: 'Agent of an environment' },
        ),
      },
    },
    add: (environment, view: View, writing) => {
      const parts = partsOf(environment.name, view);
      if (parts.length === 0) return {};
      const agents = parts.flatMap((part) => part.agents.map((uuid) => ({ uuid, ...writeFields({ origin }, part, writing) })));
      return { ...writeFields(UNITED, unionOf(environment, parts), writing), ...(agents.length > 0 && { agents }) };
    },
    removeShown: (environment, view: View) => withoutParts(environment, partsOf(environment.name, view)),
  },
  patch: {
    request: patchSchema,
    example: { environment_variables: { add: [{ name: 'REGION', value: 'south' }], remove: ['REGION'] } },
    apply: (environment, body, reading, view: View) => patchEnvironment(environment, body, reading, view),
  },
  messages: {
    ...messagesOf({ entity: 'environment', by: 'name', short: 'environment', tag: 'environment' }),
    duplicateId: (name) => `Environment name should be unique. Environment with name '${name}' already exists.`,
    duplicateInFile: (name) => `Environment with name '${name}' already exists.`,
    blankId: {
      message: "Failed to add environment ''. Environment name must not be blank.",
      beside: 'Environment name must not be blank.',
    },
    inUse: (name, users) =>
      `Failed to delete environment '${name}'. Environment is partially defined in [${reposOf(users).join(', ')}] config repositories`,
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

function reposOf(users: readonly Dependent[]): string[] {
  const origins = users.map(({ kind, entity }) => (isOfKind('environmentParts', kind, entity) ? entity.origin : null));
  return [...new Set(origins.flatMap((from) => from?.repo ?? []))];
}

function repeatedPipelines(pipelines: readonly string[]): Problem[] {
  const seen = new Set<string>();
  return pipelines.flatMap((pipeline, index) => {
    const isRepeated = seen.has(pipeline.toLowerCase());
    seen.add(pipeline.toLowerCase());
    return isRepeated ? [{ at: ['pipelines', index, 'name'], message: `Cannot add pipeline '${pipeline}' to the environment` }] : [];
  });
}

/** A pipeline of a config repo may go away at any time: the server's own configuration must not need it. */
function remoteProblems(names: readonly string[], view: View): Problem[] {
  return names.flatMap((name, index) => {
    const from = view.pipelines.get(name)?.origin ?? null;
    if (from === null) return [];
    const message = `Environment defined in ${sourceOf(null, view)} cannot reference a pipeline in ${sourceOf(from, view)}`;
    return [{ at: ['pipelines', index, 'name'], message }];
  });
}
