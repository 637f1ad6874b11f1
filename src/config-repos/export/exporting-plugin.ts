// Plugins that can write the format they read.
import type { ConfigRepoPlugin } from '../../contracts/plugins/config-repo.ts';

export type ExportingPlugin = ConfigRepoPlugin & Required<Pick<ConfigRepoPlugin, 'exportPipeline'>>;

export function canExport(plugin: ConfigRepoPlugin): plugin is ExportingPlugin {
  return plugin.exportPipeline !== undefined;
}
