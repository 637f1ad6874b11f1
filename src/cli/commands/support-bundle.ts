// Declares the command that writes a support bundle.
import { command } from '../terminal/command.ts';
import { DATABASE_URL_FLAG, EXIT_CODES, TARGET_FLAGS } from '../terminal/flags.ts';

export const supportBundleCommand = command({
  name: 'support-bundle',
  group: 'Operation',
  summary: 'write a bundle for the people you ask for help, without secrets',
  details: [
    'A tar archive, compressed by gzip, of plain text files: versions, settings, counts, sizes, health messages, metrics, the last lines of the log, recent failures. Look through it before you give it away.',
    'From a server that is stopped it has what the database holds: no settings, health messages, metrics and log.',
  ],
  arguments: [{ name: 'FILE', about: 'the file to write (slipway-support-TIME.tar.gz)', isOptional: true }],
  flags: { ...TARGET_FLAGS, ...DATABASE_URL_FLAG },
  examples: [
    { command: 'support-bundle --url https://cd.example.org --user admin', about: 'of a server that runs' },
    { command: 'support-bundle help.tar.gz --data-dir data', about: 'of one that does not start' },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/inspect/support-bundle.ts')).runSupportBundle,
});
