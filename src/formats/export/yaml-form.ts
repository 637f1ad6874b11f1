// The model of a pipeline in the words of the YAML format.
import type { ExportOptions } from '../../contracts/plugins/config-repo.ts';
import type { YamlMap, YamlValue } from '../../kit/tree/print-yaml.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { listIn, objectsIn } from './members.ts';
import { hasIdleJob, VERSION_WITHOUT_TASKS } from './model.ts';
import { pairsOf, settingsOf, variablesOf, YamlBuilder } from './yaml-builder.ts';
import { yamlMaterials } from './yaml-materials.ts';

/** Files of this version are understood by most. */
const VERSION = 10;

export function yamlForm(model: JsonObject, options: ExportOptions = {}): YamlMap {
  return new YamlBuilder()
    .put('format_version', versionFor(model, options))
    .put('pipelines', new YamlBuilder().put(String(model.name), pipeline(model)).map).map;
}

export function environmentYamlForm(model: JsonObject, options: ExportOptions = {}): YamlMap {
  const form = new YamlBuilder();
  variablesOf(model, form);
  form.putUnlessEmpty('agents', listIn(model, 'agents') as readonly string[]);
  form.putUnlessEmpty('pipelines', listIn(model, 'pipelines') as readonly string[]);
  return new YamlBuilder()
    .put('format_version', versionFor(model, options))
    .put('environments', new YamlBuilder().put(String(model.name), form.map).map).map;
}

function versionFor(model: JsonObject, { isBesideIdleJobs = false }: ExportOptions): number {
  return isBesideIdleJobs || hasIdleJob(model) ? VERSION_WITHOUT_TASKS : VERSION;
}

function pipeline(model: JsonObject): YamlMap {
  const form = new YamlBuilder()
    .copy(model, 'group', 'template', 'label_template', 'lock_behavior', 'tracking_tool')
    .put('display_order', model.display_order_weight)
    .copy(model, 'timer');
  variablesOf(model, form);
  form.put('materials', yamlMaterials(objectsIn(model, 'materials')));
  if (model.stages !== undefined) form.put('stages', objectsIn(model, 'stages').map(stage));
  return form.putUnlessEmpty('parameters', pairsOf(objectsIn(model, 'parameters'), 'name', 'value')).map;
}

function stage(model: JsonObject): YamlValue {
  const form = new YamlBuilder()
    .copy(model, 'fetch_materials')
    .put('keep_artifacts', model.never_cleanup_artifacts)
    .put('clean_workspace', model.clean_working_directory);
  const approval = model.approval as JsonObject;
  form.put(
    'approval',
    new YamlBuilder()
      .copy(approval, 'type', 'allow_only_on_success')
      .putUnlessEmpty('roles', approval.roles as readonly string[])
      .putUnlessEmpty('users', approval.users as readonly string[]).map,
  );
  variablesOf(model, form);
  const jobs = new YamlBuilder();
  for (const one of objectsIn(model, 'jobs')) jobs.put(String(one.name), job(one));
  return new YamlBuilder().put(String(model.name), form.put('jobs', jobs.map).map).map;
}

function job(model: JsonObject): YamlMap {
  const form = new YamlBuilder().copy(model, 'timeout').put('run_instances', instances(model.run_instance_count));
  variablesOf(model, form);
  return form
    .putUnlessEmpty('tabs', pairsOf(objectsIn(model, 'tabs'), 'name', 'path'))
    .putUnlessEmpty('resources', listIn(model, 'resources') as readonly string[])
    .copy(model, 'elastic_profile_id')
    .putUnlessEmpty('artifacts', objectsIn(model, 'artifacts').map(artifact))
    .put('tasks', objectsIn(model, 'tasks').map(task)).map;
}

function instances(count: Json | undefined): Json | undefined {
  return typeof count === 'string' && /^\d+$/.test(count) ? Number(count) : count;
}

function artifact({ type, ...model }: JsonObject): YamlValue {
  const own = new YamlBuilder().copy(model, 'source', 'destination', 'id', 'store_id');
  const configuration = new YamlBuilder();
  settingsOf(model, configuration);
  return new YamlBuilder().put(String(type), own.putUnlessEmpty('configuration', configuration.map).map).map;
}

function task({ type, ...model }: JsonObject): YamlValue {
  const { on_cancel, plugin_configuration, is_source_a_file, run_if, configuration, arguments: list, ...texts } = model;
  const form = new YamlBuilder();
  if (isObject(on_cancel)) form.put('on_cancel', task(on_cancel));
  if (plugin_configuration) {
    form.copy({ configuration: plugin_configuration }, 'configuration');
    settingsOf({ configuration: configuration ?? [] }, form);
  } else if (configuration) {
    const settings = new YamlBuilder();
    settingsOf({ configuration }, settings);
    form.put('configuration', settings.map);
  }
  form
    .put('is_file', is_source_a_file)
    .copy({ arguments: list, run_if }, 'arguments', 'run_if')
    .copy(texts, ...Object.keys(texts));
  return new YamlBuilder().put(String(type), form.map.size > 0 ? form.map : null).map;
}
