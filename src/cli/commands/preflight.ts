// Declares the command that checks files of a config repo.
import { command } from '../terminal/command.ts';
import { JSON_FLAG, SERVER_FLAGS } from '../terminal/flags.ts';

export const preflightCommand = command({
  name: 'preflight',
  group: 'Pipelines as code',
  summary: 'check files of a config repo before they are committed',
  details: [
    'The files are checked as the whole content of a config repo, against the configuration of the server. Nothing is changed.',
    'Call it at the root of the repository: errors are printed as FILE:LINE:COLUMN.',
  ],
  arguments: [{ name: 'FILE', about: 'the files to check', isOptional: true, isRepeated: true }],
  flags: {
    repo: { value: 'ID', about: 'config repo whose content the files will be; without it they count as a new one' },
    ref: { value: 'REF', about: 'instead of files: a branch or a whole commit id of --repo' },
    plugin: { value: 'ID', about: 'config-repo plugin that reads the files; by default chosen by the names of the files' },
    plan: { about: 'also print what would be created, changed and deleted' },
    ...JSON_FLAG,
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'preflight ci/build.gocd.yaml ci/deploy.gocd.yaml', about: 'two files; server and login come from the environment' },
    { command: 'preflight --repo shop --ref feature-x --plan', about: 'a branch that is pushed already' },
  ],
  exits: { 0: 'the files are valid', 1: 'they are not, or the server refused', 2: 'wrong command line' },
  wrongUse: 2,
  load: async () => (await import('../run/preflight.ts')).runPreflight,
});
