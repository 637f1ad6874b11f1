// Tasks of the API as the model has them.
import type { Json, JsonObject, JsonOut } from '../../shape/json/json.ts';
import { SCRIPT_PLUGIN, SCRIPT_SETTINGS, writtenPluginId } from '../../shape/script-plugin.ts';
import { given, listIn, objectIn, objectsIn, undefinedIfEmpty } from './members.ts';

export function taskModel(task: JsonObject): JsonOut {
  const attributes = objectIn(task, 'attributes');
  const { run_if, on_cancel, nothing_on_cancel, ...own } = attributes;
  return given({
    ...ownModel(String(task.type), own),
    run_if: runIf(attributes),
    on_cancel: on_cancel ? taskModel(on_cancel as JsonObject) : null,
    nothing_on_cancel,
  });
}

/**
 * The format knows one state; several are written as a list. None is the same as passed, and still not written: the file would not be
 * read as just the same pipeline.
 */
function runIf(attributes: JsonObject): Json | undefined {
  const states = listIn(attributes, 'run_if');
  return states.length > 1 ? states : states[0];
}

function ownModel(type: string, attributes: JsonObject): JsonOut {
  if (type === 'script') return scriptModel(attributes);
  if (type !== 'pluggable_task')
    return given({ type, ...attributes, configuration: undefinedIfEmpty(listIn(attributes, 'configuration')) });
  const { id, version } = objectIn(attributes, 'plugin_configuration');
  return {
    type: 'plugin',
    plugin_configuration: { id: writtenPluginId(String(id ?? '')), version: version ?? '' },
    configuration: objectsIn(attributes, 'configuration'),
  };
}

function scriptModel(attributes: JsonObject): JsonOut {
  const settings = SCRIPT_SETTINGS.flatMap((key) => (typeof attributes[key] === 'string' ? [{ key, value: attributes[key] }] : []));
  return { type: 'plugin', plugin_configuration: { id: SCRIPT_PLUGIN, version: '1' }, configuration: settings };
}
