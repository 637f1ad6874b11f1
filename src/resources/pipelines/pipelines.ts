// Pipelines: what is built from what, in which stages.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of the dialect are written with ${…}
import { type EntityOf, type Field, plainField } from '../../shape/field.ts';
import { checkedText, identifier, listOf, NAME_RULE } from '../../shape/fields.ts';
import { messagesOf } from '../../shape/messages.ts';
import { must, type Problem } from '../../shape/problem.ts';
import { readFlag, readList, readObject, readText } from '../../shape/reading.ts';
import { collection, type SeesMarks } from '../../shape/resource.ts';
import { autoUpdateMark } from '../parts/auto-update.ts';
import { environmentVariables, variableNameProblems } from '../parts/environment-variables.ts';
import { type Repository, shownRepository } from '../parts/materials.ts';
import { materialProblems } from './check-materials.ts';
import { LOCK_BEHAVIORS, labelProblems, type Timer, type TrackingTool, timerProblems, trackingToolProblems } from './check-pipeline.ts';
import { stageProblems } from './check-stages.ts';
import { isDependency, materials, type PipelineMaterial } from './materials.ts';
import { nameProblems } from './names.ts';
import { parameterFault, parameterNameProblems, parameterTexts } from './parameters.ts';
import { materialReferences, stageReferences } from './references.ts';
import { type Stage, stages as stageList, stagesFacade } from './stages.ts';
import { dependencyProblems, fetchProblems, type SeesPipelines, stagesOf } from './upstream.ts';

/** The stages of the pipeline; null when it takes those of a template. */
const stages: Field<readonly Stage[] | null> = {
  ...stageList,
  read: (place, name) => (readList(place, name) === undefined ? null : stageList.read(place, name)),
  write: (value, name, out, writing) => {
    if (value === null) out[name] = null;
    else stageList.write(value, name, out, writing);
  },
};

const trackingTool: Field<TrackingTool | null> = {
  read: (place, name) => {
    const holder = readObject(place, name);
    if (!holder) return null;
    const attributes = readObject({ ...place, holder }, 'attributes') ?? {};
    const inner = { ...place, holder: attributes, path: [...place.path, name, 'attributes'] };
    return { urlPattern: readText(inner, 'url_pattern') ?? '', regex: readText(inner, 'regex') ?? '' };
  },
  write: (tool, name, out) => {
    out[name] = tool && { type: 'generic', attributes: { url_pattern: tool.urlPattern, regex: tool.regex } };
  },
  describe: (name) => ({ request: { [name]: { type: ['object', 'null'] } }, response: { [name]: { type: ['object', 'null'] } } }),
};

const timer: Field<Timer | null> = {
  read: (place, name) => {
    const holder = readObject(place, name);
    if (!holder) return null;
    const inner = { ...place, holder, path: [...place.path, name] };
    return { spec: readText(inner, 'spec') ?? '', onlyOnChanges: readFlag(inner, 'only_on_changes') ?? false };
  },
  write: (value, name, out) => {
    out[name] = value && { spec: value.spec, only_on_changes: value.onlyOnChanges };
  },
  describe: (name) => ({ request: { [name]: { type: ['object', 'null'] } }, response: { [name]: { type: ['object', 'null'] } } }),
};

const origin: Field<null> = {
  read: () => null,
  write: (_, name, out) => {
    out[name] = { type: 'gocd' };
  },
  describe: (name) => ({ request: {}, response: { [name]: { type: 'object', properties: { type: { type: 'string' } } } } }),
};

const fields = {
  labelTemplate: textOr('${COUNT}', 'How runs are labelled.'),
  lockBehavior: textOr('none', 'Whether several runs may go on at once.'),
  name: identifier((name) => `Invalid pipeline name '${name}'. ${NAME_RULE}`),
  template: plainField<string | null>(
    { type: ['string', 'null'], description: 'The template whose stages it takes.' },
    (place, name) => readText(place, name) || null,
    (value) => value,
  ),
  group: checkedText({ description: 'The pipeline group it is in.' }),
  origin,
  parameters: listOf(
    { name: checkedText({ description: 'Name.' }), value: textOr('', 'Value.') },
    { description: 'Values for `#{name}` in its texts and its template.' },
  ),
  environmentVariables: environmentVariables(),
  materials,
  stages,
  trackingTool,
  timer,
};

type Pipeline = EntityOf<typeof fields>;
type Seen = SeesPipelines & SeesMarks;

export const pipelines = collection({
  title: 'Pipeline config',
  about: 'What is built from what, in which stages.',
  path: '/api/admin/pipelines',
  version: 11,
  since: '15.3.0',
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
  fields,
  refersTo: (pipeline) => [
    { kind: 'pipelineGroups', id: pipeline.group, at: ['group'], unknown: `Pipeline group with name '${pipeline.group}' was not found!` },
    ...(pipeline.template
      ? [
          {
            kind: 'templates',
            id: pipeline.template,
            at: ['template'],
            unknown: `Pipeline '${pipeline.name}' refers to non-existent template '${pipeline.template}'.`,
          },
        ]
      : []),
    ...materialReferences(pipeline.materials, pipeline.name),
    ...stageReferences(pipeline.stages ?? [], pipeline.name),
  ],
  marks: ({ materials: own }) =>
    own.flatMap((material) => (isRepository(material) ? [autoUpdateMark(material, material.attributes.autoUpdate)] : [])),
  rules: [
    ({ group }) => (group.trim() === '' ? must(false, 'group', NO_GROUP) : nameProblems('group', group, ['group'])),
    ({ labelTemplate, name, materials: own }) => labelProblems(labelTemplate, name, own),
    ({ lockBehavior }) =>
      must(
        LOCK_BEHAVIORS.includes(lockBehavior),
        'lock_behavior',
        `Lock behavior has an invalid value (${lockBehavior}). Valid values are: [${LOCK_BEHAVIORS.join(', ')}]`,
      ),
    ({ parameters, name }) => parameterNameProblems(parameters, name),
    ({ environmentVariables: variables, name }) => variableNameProblems(variables, 'environment_variables', `pipeline '${name}'`),
    ({ trackingTool: tool }) => trackingToolProblems(tool),
    ({ timer: set }) => timerProblems(set),
    ({ materials: own }) => materialProblems(own),
    (pipeline) => stagesOrTemplate(pipeline),
    ({ stages: own, name }) => stageProblems(own ?? [], name),
    (pipeline, seen: Seen) => parameterProblems(pipeline, seen),
    (pipeline, seen: Seen) => dependencyProblems(pipeline, seen),
    (pipeline, seen: Seen) => fetchProblems(pipeline, seen),
    ({ name, materials: own }, { marked }: Seen) => autoUpdateProblems(name, own, marked),
  ],
  follows: { pipelineGroups: (pipeline, group) => ({ ...pipeline, group }) },
  facade: ({ template, stages: own, materials: polled }) => [template, stagesFacade(own ?? []), polled.filter(isDependency)],
  linkRules: {
    pipelines: (pipeline, seen: Seen) => [...dependencyProblems(pipeline, seen), ...fetchProblems(pipeline, seen)],
    templates: (pipeline, seen: Seen) => [...parameterProblems(pipeline, seen), ...fetchProblems(pipeline, seen)],
  },
  messages: {
    ...messagesOf({ entity: 'pipeline', by: 'name', short: 'pipeline', tag: 'pipeline' }),
    renamed: 'Renaming of pipelines is not supported by this API.',
    inUse: (name, users) => {
      const [user] = users;
      return user?.kind === 'environments'
        ? `Cannot delete pipeline '${name}' as it is present in environment '${user.id}'.`
        : `Cannot delete pipeline '${name}' as pipeline '${user?.id} (${String(user?.entity.group)})' depends on it.`;
    },
    invalid: (name, problems) =>
      problems.find(({ message }) => message === NO_GROUP)?.message ??
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

const NO_GROUP = 'Pipeline group must be specified for creating a pipeline.';

function textOr(absent: string, description: string): Field<string> {
  return plainField<string>(
    { type: 'string', default: absent, description },
    (place, name) => readText(place, name) ?? absent,
    (value) => value,
  );
}

function stagesOrTemplate({ name, template, stages: own }: Pipeline): Problem[] {
  const hasStages = own !== null && own.length > 0;
  if (template && hasStages) {
    return [
      { at: ['stages'], message: `Cannot add stages to pipeline '${name}' which already references template '${template}'` },
      { at: ['template'], message: `Cannot set template '${template}' on pipeline '${name}' because it already has stages defined` },
    ];
  }
  return must(
    template !== null || hasStages,
    'pipeline',
    `Pipeline '${name}' does not have any stages configured. A pipeline must have at least one stage.`,
  );
}

/** In its own texts, and in those of its template. */
function parameterProblems(pipeline: Pipeline, seen: SeesPipelines): Problem[] {
  const defined = new Set(pipeline.parameters.map((parameter) => parameter.name));
  const { name: _, group: __, template, parameters: ___, ...texts } = pipeline;
  const faults = (value: unknown, at?: readonly string[]) =>
    [...parameterTexts(value)].flatMap(({ text, path }) => {
      const field = String(path.at(-1) ?? '');
      const message = parameterFault(text, (used) => defined.has(used), field);
      return message ? [{ at: at ?? path.map((step) => (typeof step === 'string' ? snake(step) : step)), message }] : [];
    });
  return [...faults(texts), ...(template ? faults(stagesOf(pipeline, seen), ['template']) : [])];
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isRepository(
  material: PipelineMaterial,
): material is PipelineMaterial & Repository & { readonly attributes: { readonly autoUpdate: boolean } } {
  return !['dependency', 'package', 'plugin'].includes(material.type);
}

const DISPLAY_TYPES: Readonly<Record<string, string>> = { git: 'Git', hg: 'Mercurial', svn: 'Subversion', p4: 'Perforce', tfs: 'Tfs' };

function autoUpdateProblems(name: string, own: readonly PipelineMaterial[], marked: SeesMarks['marked']): Problem[] {
  const word = (isOn: boolean) => (isOn ? 'auto update enabled' : 'auto update disabled');
  return own.flatMap((material, index) => {
    if (!isRepository(material)) return [];
    const { autoUpdate } = material.attributes;
    const others = [...marked(autoUpdateMark(material, !autoUpdate))].filter(
      (other) => !(other.kind === 'pipelines' && other.id.toLowerCase() === name.toLowerCase()),
    );
    if (others.length === 0) return [];
    const lines = [` ${name} (${word(autoUpdate)})`, ...others.map((other) => ` ${other.id} (${word(!autoUpdate)})`)].join(',\n');
    const message = `The material of type ${DISPLAY_TYPES[material.type]} (${shownRepository(material)}) is used elsewhere with a different value for autoUpdate (poll for changes). Those values should be the same. Pipelines:\n${lines}`;
    return [{ at: ['materials', index, 'attributes', 'auto_update'], message }];
  });
}
