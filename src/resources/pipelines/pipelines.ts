// Pipelines: the materials to build from, and the stages to run.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import { isOfKind } from '../../shape/is-of-kind.ts';
import { messagesOf } from '../../shape/problems/messages.ts';
import { collection, type Reference } from '../../shape/resource.ts';
import { OWN_SOURCE, repoReference } from '../parts/origin.ts';
import { resolved } from '../parts/resolved.ts';
import { isDependency } from './materials.ts';
import { fields, type Pipeline } from './pipeline-fields.ts';
import { materialReferences, referencesByParameters, stageReferences } from './references.ts';
import {
  groupLinkProblems,
  noGroup,
  pipelineProblems,
  scmLinkProblems,
  storeLinkProblems,
  templateLinkProblems,
  upstreamLinkProblems,
} from './rules/all.ts';
import { autoUpdateTags } from './rules/auto-update.ts';
import { pipelinePluginProblems } from './rules/plugin-problems.ts';
import { visibleStages } from './stages.ts';

export const pipelines = collection({
  title: 'Pipeline config',
  label: 'Pipeline',
  about: 'What is built from what, in which stages.',
  path: '/api/admin/pipelines',
  version: 11,
  alsoVersions: [10],
  permission: 'groupAdmin',
  policy: { type: 'pipeline', within: (pipeline) => pipeline.group },
  doc: 'pipeline-config',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'pipelines',
  id: 'name',
  idParameter: 'pipeline_name',
  ignoresCase: true,
  needsIfMatch: true,
  hasOwn: ['GET list', 'POST'],
  createdAs: { member: 'pipeline', beside: ['group'] },
  fields,
  refersTo: (pipeline) => references(named(pipeline)),
  creates: ({ group }) => (group.trim() === '' ? [] : [{ kind: 'pipelineGroups', id: group, entity: emptyGroup(group) }]),
  refersThrough: { templates: referencesByParameters },
  tags: (pipeline) => autoUpdateTags(named(pipeline).materials),
  rules: [pipelineProblems],
  pluginProblems: pipelinePluginProblems,
  follows: { pipelineGroups: (pipeline, group) => ({ ...pipeline, group }) },
  visibleParts: (pipeline) => {
    const { template, parameters, stages, materials } = resolved(pipeline);
    // The names of jobs in a template may use parameters.
    return [template, template && parameters, visibleStages(stages ?? []), materials.filter(isDependency)];
  },
  linkRules: {
    pipelines: { problems: upstreamLinkProblems, isTransitive: true },
    templates: { problems: templateLinkProblems, isTransitive: true },
    artifactStores: { problems: storeLinkProblems, isTransitive: true },
    pipelineGroups: { problems: groupLinkProblems, isTransitive: false },
    scms: { problems: scmLinkProblems, isTransitive: false },
  },
  messages: {
    ...messagesOf({ entity: 'pipeline', by: 'name', short: 'pipeline', tag: 'pipeline' }),
    duplicateInFile: (name) =>
      `You have defined multiple pipelines named '${name}'. Pipeline names must be unique. Source(s): [${OWN_SOURCE}]`,
    renamed: 'Renaming of pipelines is not supported by this API.',
    inUse: (name, users) => {
      const { kind, id, entity } = users[0]!;
      const inEnvironment = (environment: string) => `Cannot delete pipeline '${name}' as it is present in environment '${environment}'.`;
      if (isOfKind('environmentParts', kind, entity)) return inEnvironment(entity.environment);
      if (isOfKind('pipelines', kind, entity))
        return `Cannot delete pipeline '${name}' as pipeline '${id} (${entity.group})' depends on it.`;
      return inEnvironment(id);
    },
    invalid: (name, problems, operation) =>
      problems.find(({ message }) => message === noGroup(operation))?.message ??
      `Validations failed for pipeline '${name}'. Error(s): [Validation failed.]. Please correct and resubmit.`,
  },
  example: {
    group: 'shop',
    name: 'web',
    label_template: '${COUNT}',
    materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/web.git', branch: 'main' } }],
    stages: [
      { name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make', arguments: ['all'] } }] }] },
    ],
  },
});

/** A group without pipelines, to which only system administrators have rights. */
function emptyGroup(name: string) {
  const noMembers = { users: [], roles: [] };
  return { name, authorization: { view: noMembers, operate: noMembers, admins: noMembers } };
}

/** The pipeline with its parameters replaced. Without parameters no text is looked through: this runs for every pipeline at start. */
function named(pipeline: Pipeline): Pipeline {
  return pipeline.parameters.length === 0 ? pipeline : resolved(pipeline);
}

function references({ name, group, origin, template, materials, stages }: Pipeline): Reference[] {
  const found: Reference[] = [
    ...repoReference(origin),
    ...materialReferences(materials, name, origin),
    ...stageReferences(stages ?? [], name),
  ];
  // A blank group is a problem of its own.
  if (group.trim() !== '')
    found.unshift({ kind: 'pipelineGroups', id: group, at: ['group'], unknown: `Pipeline group with name '${group}' was not found!` });
  const unknown = `Pipeline '${name}' refers to non-existent template '${template}'.`;
  if (template) found.push({ kind: 'templates', id: template, at: ['pipeline'], unknown });
  return found;
}
