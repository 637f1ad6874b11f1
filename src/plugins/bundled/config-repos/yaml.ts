// The plugin that reads pipelines and environments from YAML files of a repository.
import type { ConfigRepoPlugin } from '../../../contracts/plugins/config-repo.ts';
import { yamlFormat } from '../../../formats/yaml/format.ts';
import { patternFields } from './pattern-fields.ts';

/** Patterns of a repository win over those of the plugin. */
const PATTERNS = patternFields(yamlFormat.defaultPatterns, {
  file_pattern: 'The files to read. Several patterns are separated by commas.',
});

export const yamlConfigRepoPlugin = {
  id: 'yaml.config.plugin',
  kind: 'configrepo',
  name: 'Pipelines in YAML',
  version: '1.0.0',
  description: 'Reads pipelines and environments from YAML files kept in a repository.',
  vendor: 'Slipway',
  capabilities: { supports_parse_content: true, supports_list_config_files: true, supports_pipeline_export: true },
  blocks: { configuration: { fields: PATTERNS }, plugin: { fields: PATTERNS, unknownKey: 'Is an unknown property' } },
  ...yamlFormat,
} satisfies ConfigRepoPlugin;
