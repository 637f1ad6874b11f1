// Tasks of plugins, and our scripts, which these formats know only as such.
import { readPluginId, SCRIPT_PLUGIN, SCRIPT_SETTINGS } from '../../shape/script-plugin.ts';
import type { Part } from './part.ts';
import { copyProperties, repeatedProperty } from './variables.ts';

export function pluginTaskType(part: Part): string {
  return isScript(part) ? 'script' : 'pluggable_task';
}

export function copyPluginTask(part: Part): void {
  const plugin = part.part('plugin_configuration')?.enter(() => 'Plugin configuration');
  if (!plugin) {
    // The settings are not unknown because the plugin is.
    part.member('configuration');
    return;
  }
  plugin.need('id', 'version');
  if (isScript(part)) {
    copyScript(part);
    return;
  }
  const { body } = part.location;
  const metadata = (part.out.plugin_configuration = plugin.begin());
  metadata.id = body.value(plugin.offsetOf('id'), readPluginId(plugin.text('id') ?? ''));
  plugin.copyText('version');
  plugin.done();
  copyProperties(part);
}

function isScript(part: Part): boolean {
  return part.part('plugin_configuration')?.text('id') === SCRIPT_PLUGIN;
}

/** The settings of the plugin are members of the task. */
function copyScript(part: Part): void {
  for (const item of part.items('configuration') ?? []) {
    if (item.kind !== 'dict') continue;
    const [key, value] = ['key', 'value'].map((name) => item.members.get(name)?.value);
    if (key?.kind !== 'text' || value?.kind !== 'text') continue;
    if (Object.hasOwn(part.out, key.text)) part.location.problem(key.at, repeatedProperty(key.text));
    else if (isSetting(key.text)) part.out[key.text] = part.location.body.value(value.at, value.text);
    else part.location.problem(key.at, `A task of ${SCRIPT_PLUGIN} has no setting '${key.text}', only ${SCRIPT_SETTINGS.join(', ')}.`);
  }
}

function isSetting(key: string): boolean {
  return (SCRIPT_SETTINGS as readonly string[]).includes(key);
}
