// The environment of an agent in a cluster: what it needs to register, and what the settings add.
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
  variables.set('SLIPWAY_SERVER', readText(cluster, GO_SERVER_URL).trim() || order.siteUrl);
  variables.set('SLIPWAY_AGENT_KEY', order.key);
  variables.set('SLIPWAY_ELASTIC_AGENT_ID', order.agentId);
  variables.set('SLIPWAY_ELASTIC_PLUGIN_ID', pluginId);
  return variables;
}
