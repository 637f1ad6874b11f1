// Parts of environments that config repos define: united with the environment in the server's own configuration.
import type { EntityOf } from '../shape/field.ts';
import { text, texts } from '../shape/fields.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import type { Problem } from '../shape/problems/problem.ts';
import { collection, type Reference, type ReferrersView } from '../shape/resource.ts';
import { type EnvironmentPart, type PartsView, unionProblems } from './parts/environment-union.ts';
import { environmentVariables, variableNameProblems } from './parts/environment-variables.ts';
import { origin, repoReference, type SourcesView } from './parts/origin.ts';
import { pipelineNames } from './parts/pipeline-names.ts';

const fields = {
  id: text({ description: 'Made of the repo, the environment and the file.' }),
  environment: text({ description: 'The environment to which it belongs.' }),
  origin,
  pipelines: pipelineNames(),
  agents: texts({ description: 'Agents by uuid.' }),
  environmentVariables: environmentVariables(),
};

/** Not derived from the declaration: that one and the declaration of environments need the types of each other's entities. */
export type EnvironmentPartEntity = EntityOf<typeof fields>;

export const environmentParts = collection({
  title: 'Part of an environment',
  about: 'What a config repo says of an environment.',
  path: '/api/admin/internal/environment_parts',
  version: 1,
  permission: 'admin',
  doc: 'config-repos',
  links: [],
  listLinks: [],
  listKey: 'environment_parts',
  id: 'id',
  idParameter: 'id',
  needsIfMatch: false,
  isInternal: true,
  fields,
  creates: ({ environment }) => [
    { kind: 'environments', id: environment, entity: { name: environment, pipelines: [], environmentVariables: [] } },
  ],
  refersTo: ({ environment, origin: from, pipelines }) => [
    ...repoReference(from),
    { kind: 'environments', id: environment, at: ['environment'], unknown: `Environment with name '${environment}' was not found!` },
    ...pipelines.map(
      (pipeline, index): Reference => ({
        kind: 'pipelines',
        id: pipeline,
        at: ['pipelines', index, 'name'],
        unknown: `Environment '${environment}' refers to an unknown pipeline '${pipeline}'.`,
      }),
    ),
  ],
  rules: [
    ({ environment, environmentVariables: own }) => variableNameProblems(own, 'environment_variables', `environment '${environment}'`),
    (part: EnvironmentPart, view: PartsView & ReferrersView & SourcesView): readonly Problem[] => unionProblems(part, view),
  ],
  messages: messagesOf({ entity: 'part of an environment', by: 'id', short: 'part', tag: 'environmentPart' }),
  example: { id: 'team-a/staging/ci/web.gocd.yaml', environment: 'staging', pipelines: [], agents: [], environment_variables: [] },
});
