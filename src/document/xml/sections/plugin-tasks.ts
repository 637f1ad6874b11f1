// Tasks that the format knows only as those of a plugin: the ones that are, and our scripts.
import type { JsonOut } from '../../../shape/json/json.ts';
import { readPluginId, SCRIPT_PLUGIN, SCRIPT_SETTINGS, writtenPluginId } from '../../../shape/script-plugin.ts';
import { ignoredAttribute } from '../form/attributes.ts';
import { childNamed, type Form, type Part } from '../form/part.ts';
import type { ValueType } from '../form/values.ts';
import { configuration, pluginConfiguration } from './properties.ts';

const PLUGIN_ID: ValueType = { toText: (id) => writtenPluginId(String(id)), toJson: readPluginId };

const description = ignoredAttribute('description');

export const PLUGGABLE_TASK: readonly Part[] = [description, pluginConfiguration('plugin_configuration', PLUGIN_ID), configuration()];
export const SCRIPT: readonly Part[] = [description, scriptMark(), scriptSettings()];

/** The one of the two that a JSON or an element means. */
export function eitherTask(pluggable: Form, script: Form): Form {
  return {
    name: 'task',
    write: (json, indent) => (json.type === 'script' ? script : pluggable).write(json, indent),
    read: (element, reading, path) => {
      const plugin = childNamed(element, 'pluginConfiguration')?.attributes.get('id');
      return (plugin === SCRIPT_PLUGIN ? script : pluggable).read(element, reading, path);
    },
  };
}

function scriptMark(): Part {
  const mark = pluginConfiguration('plugin');
  return {
    ...mark,
    writeChildren: (_, indent) => mark.writeChildren!({ plugin: { id: SCRIPT_PLUGIN, version: '1' } }, indent),
    read: (element, _, reading, path) => mark.read(element, {}, reading, path),
  };
}

function scriptSettings(): Part {
  const members: readonly string[] = SCRIPT_SETTINGS;
  const settings = configuration('settings');
  return {
    ...settings,
    writeChildren: (json, indent) => {
      const given = members.flatMap((key) => (typeof json[key] === 'string' ? [{ key, value: json[key] }] : []));
      return settings.writeChildren!({ settings: given }, indent);
    },
    read: (element, json, reading, path) => {
      const read: JsonOut = {};
      settings.read(element, read, reading, path);
      for (const member of members) json[member] = null;
      for (const { key, value = '' } of read.settings as readonly { key: string; value?: string }[]) {
        if (members.includes(key)) json[key] = value;
        else reading.problem(element, `A task of ${SCRIPT_PLUGIN} has no setting '${key}', only ${members.join(', ')}.`);
      }
    },
  };
}
