// Brings the plugins in the data directory into the server.
import { join } from 'node:path';
import type { AnyPlugin } from '../../contracts/plugins/any-plugin.ts';
import type { HealthMessages } from '../../health/messages.ts';
import type { Log } from '../../kit/log.ts';
import { loadExternalPlugins } from '../../plugins/external/load.ts';
import { limitsMemory } from '../../plugins/external/program.ts';
import { bundledPlugins } from '../../plugins/installed.ts';

export interface OpenExternalPlugins {
  readonly plugins: readonly AnyPlugin[];
  /** Says which cannot be used. */
  reportProblems(health: HealthMessages): void;
}

export function openExternalPlugins(dataDir: string, log: Log): OpenExternalPlugins {
  const path = process.env.PATH ?? '';
  const taken = bundledPlugins.map(({ id }) => id);
  const { plugins, problems } = loadExternalPlugins(join(dataDir, 'plugins'), taken, { path });
  for (const { id, version } of plugins) log.info({ plugin: id, version }, 'a plugin of the data directory is used');
  if (plugins.length > 0 && !limitsMemory(path)) log.warn({}, 'there is no program prlimit: the memory of plugins is not limited');
  return {
    plugins,
    reportProblems: (health) => {
      for (const { folder, message } of problems) health.raise(`plugin ${folder}`, 'ERROR', `The plugin ${folder} cannot be used`, message);
    },
  };
}
