// The plugin that reads pipelines and environments from JSON files of a repository.
import type { ConfigRepoPlugin } from '../../../contracts/plugins/config-repo.ts';
import { jsonFormat } from '../../../formats/json/format.ts';
import { patternFields } from './pattern-fields.ts';

/** Patterns of a repository win over those of the plugin. */
const PATTERNS = patternFields(jsonFormat.defaultPatterns, {
  pipeline_pattern: 'The files with pipelines. Several patterns are separated by commas.',
  environment_pattern: 'The files with environments. Several patterns are separated by commas.',
});

export const jsonConfigRepoPlugin = {
  id: 'json.config.plugin',
  kind: 'configrepo',
  name: 'Pipelines in JSON',
  version: '1.0.0',
  description: 'Reads pipelines and environments, one to a file, from JSON files kept in a repository.',
  vendor: 'Slipway',
  capabilities: { supports_parse_content: true, supports_list_config_files: true, supports_pipeline_export: true },
  blocks: { configuration: { fields: PATTERNS }, plugin: { fields: PATTERNS, unknownKey: 'Is an unknown property' } },
  ...jsonFormat,
} satisfies ConfigRepoPlugin;
