// Declares the command that exports the configuration.
import { command } from '../terminal/command.ts';
import { EXIT_CODES, SERVER_FLAGS } from '../terminal/flags.ts';

export const exportCommand = command({
  name: 'export',
  group: 'Configuration',
  summary: 'write the configuration of a server, or pipelines of it as code',
  details: [
    'Without options it is the whole configuration as one XML file (cruise-config.xml). Secrets stay encrypted.',
    'Without FILE, or with - as FILE, the result goes to standard output.',
  ],
  arguments: [{ name: 'FILE', about: 'the file to write', isOptional: true }],
  flags: {
    pipeline: { value: 'NAME', about: 'one pipeline, as a file for a config repo' },
    group: { value: 'NAME', about: 'the pipelines of a group, as a zip archive of such files' },
    pipelines: { about: 'all pipelines and environments, as a zip archive' },
    plugin: {
      value: 'ID',
      about:
        'config-repo plugin in whose format pipelines are written (yaml.config.plugin, or json.config.plugin when the name of FILE ends in .json)',
    },
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'export config.xml --url https://cd.example.org --user admin', about: 'the whole configuration' },
    { command: 'export web.gocd.yaml --pipeline web', about: 'one pipeline; server and login come from the environment' },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/export.ts')).runExport,
});
