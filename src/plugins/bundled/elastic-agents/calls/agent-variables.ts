// The environment of an agent in a cluster: the variables for its registration, and those of the settings.
import type { AgentOrder } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { readText } from '../../../setting-values.ts';
import { GO_SERVER_URL } from '../server-url.ts';

/** One entry to a line; blank lines do not count. */
export function linesOf(values: SettingValues, key: string): string[] {
  return readText(values, key)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** `added`: lines of the form `NAME=value`. They cannot change how the agent registers. */
export function agentVariables(order: AgentOrder, pluginId: string, cluster: SettingValues, added: readonly string[]): Map<string, string> {
  const variables = new Map<string, string>();
  for (const line of added) {
    const [name = '', ...value] = line.split('=');
    variables.set(name.trim(), value.join('='));
  }
  for (const [name, value] of registrationVariables(order, pluginId, readText(cluster, GO_SERVER_URL))) variables.set(name, value);
  return variables;
}

/** The variables with which an agent registers. `serverUrl` is that of the settings, which may be blank. */
export function registrationVariables(order: AgentOrder, pluginId: string, serverUrl: string): ReadonlyMap<string, string> {
  return new Map([
    ['SLIPWAY_SERVER', serverUrl.trim() || order.siteUrl],
    ['SLIPWAY_AGENT_KEY', order.key],
    ['SLIPWAY_ELASTIC_AGENT_ID', order.agentId],
    ['SLIPWAY_ELASTIC_PLUGIN_ID', pluginId],
  ]);
}
