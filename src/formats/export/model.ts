// A pipeline of the API as the model that all formats share, with every default written out. Its members are in the order of the JSON format.
import type { ExportOptions } from '../../contracts/plugins/config-repo.ts';
import { findRepositoryDefinition } from '../../materials/types/list.ts';
import { isObject, type Json, type JsonObject, type JsonOut } from '../../shape/json/json.ts';
import { writtenMinutes } from '../model/scalars.ts';
import { given, listIn, objectIn, objectsIn, undefinedIfEmpty } from './members.ts';
import { taskModel } from './tasks.ts';

const UNORDERED = -1;
/** Only from this version on a job without tasks stays as it is. */
export const VERSION_WITHOUT_TASKS = 11;

export function pipelineModel(pipeline: JsonObject, { displayOrder = UNORDERED }: ExportOptions = {}): JsonOut {
  const { group, name, label_template, lock_behavior, template, timer } = pipeline;
  const materials = objectsIn(pipeline, 'materials');
  return given({
    group,
    name,
    display_order_weight: displayOrder,
    label_template,
    lock_behavior,
    tracking_tool: trackingTool(pipeline),
    timer,
    environment_variables: variables(pipeline),
    parameters: objectsIn(pipeline, 'parameters'),
    materials: materials.map((material) => materialModel(material, materials.length > 1)),
    stages: template ? null : objectsIn(pipeline, 'stages').map(stageModel),
    template,
  });
}

export function environmentModel(environment: JsonObject): JsonOut {
  const pipelines = objectsIn(environment, 'pipelines').map(({ name }) => name!);
  return given({ name: environment.name, environment_variables: variables(environment), agents: listIn(environment, 'agents'), pipelines });
}

export function hasIdleJob(model: JsonObject): boolean {
  return objectsIn(model, 'stages').some((stage) => objectsIn(stage, 'jobs').some((job) => listIn(job, 'tasks').length === 0));
}

function trackingTool(pipeline: JsonObject): Json | undefined {
  if (!isObject(pipeline.tracking_tool)) return undefined;
  const { url_pattern, regex } = objectIn(pipeline.tracking_tool, 'attributes');
  return { link: url_pattern ?? '', regex: regex ?? '' };
}

function variables(holder: JsonObject): Json {
  return objectsIn(holder, 'environment_variables').map(({ name, value, encrypted_value, secure }): JsonOut => {
    return secure ? { name: name!, encrypted_value: encrypted_value ?? '' } : { name: name!, value: value ?? '' };
  });
}

/** Beside others one without a name has an empty one: without any it would be taken for a mistake. */
function materialModel({ type, attributes }: JsonObject, isBesideOthers: boolean): JsonOut {
  const { name: ownName, filter, invert_filter, ref, scm, ...own } = attributes as JsonObject;
  const declared = isObject(scm) ? scm : {};
  const name = ownName ?? declared.name;
  const patterns = isObject(filter) ? listIn(filter, 'ignore') : [];
  const filtered: Json = invert_filter ? { includes: patterns } : patterns.length > 0 ? { ignore: patterns } : null;
  return given({
    type,
    name: name || (isBesideOthers ? '' : null),
    plugin_configuration: declared.plugin_metadata,
    configuration: undefinedIfEmpty(listIn(declared, 'configuration')),
    ...(type === 'dependency' ? { ...own, auto_update: null } : asInFiles(own, String(type))),
    ...(ref !== undefined && { [type === 'package' ? 'package_id' : 'scm_id']: ref }),
    filter: filtered,
  });
}

/** With the names that attributes have in files, where those are others. */
function asInFiles(attributes: JsonObject, type: string): JsonObject {
  const renamed = Object.entries(findRepositoryDefinition(type)?.file.renamed ?? {});
  const nameOf = (member: string) => renamed.find(([, other]) => other === member)?.[0] ?? member;
  return Object.fromEntries(Object.entries(attributes).map(([member, value]) => [nameOf(member), value]));
}

function stageModel(stage: JsonObject): JsonOut {
  const { name, fetch_materials, never_cleanup_artifacts, clean_working_directory } = stage;
  const approval = objectIn(stage, 'approval');
  const { users = [], roles = [] } = objectIn(approval, 'authorization');
  return given({
    name,
    fetch_materials,
    never_cleanup_artifacts,
    clean_working_directory,
    approval: given({ type: approval.type, allow_only_on_success: approval.allow_only_on_success, users, roles }),
    environment_variables: variables(stage),
    jobs: objectsIn(stage, 'jobs').map(jobModel),
  });
}

function jobModel(job: JsonObject): JsonOut {
  const { name, run_instance_count, timeout, elastic_profile_id, resources, tabs } = job;
  return given({
    name,
    run_instance_count: run_instance_count === null || run_instance_count === undefined ? null : String(run_instance_count),
    timeout: timeoutModel(timeout),
    elastic_profile_id,
    environment_variables: variables(job),
    resources,
    tabs,
    artifacts: objectsIn(job, 'artifacts').map(artifactModel),
    tasks: objectsIn(job, 'tasks').map(taskModel),
  });
}

/** In the model zero is the default of the server; in the API it means the same as never. */
function timeoutModel(timeout: Json | undefined): Json {
  if (timeout === 0) return 'never';
  return typeof timeout === 'number' ? writtenMinutes(timeout) : (timeout ?? 0);
}

function artifactModel({ type, artifact_id, store_id, source, destination, ...rest }: JsonObject): JsonOut {
  if (type !== 'external') return given({ type, source: source ?? '', destination });
  return given({ type, id: artifact_id, store_id, configuration: undefinedIfEmpty(listIn(rest, 'configuration')) });
}
