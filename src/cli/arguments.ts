// The arguments of an import, read and checked.
import { variableOf } from '../settings.ts';
import { type Problem, readCommand } from './command-line.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, type Environment, REMOTE_USAGE, TARGET_OPTIONS, type Target, targetOf } from './target.ts';

export interface ImportCommand {
  readonly file: string;
  readonly cipherKeyFile: string | undefined;
  readonly isPlan: boolean;
  readonly to: Target;
}

const OPTIONS = { ...TARGET_OPTIONS, 'cipher-key': { type: 'string' }, plan: { type: 'boolean', default: false } } as const;

export type Command = { readonly import: ImportCommand } | { readonly help: string } | { readonly problem: string };

export const USAGE = `Usage: npm run slipway -- import FILE [options]

Imports a configuration file (cruise-config.xml, schema versions 100 to 139): what it holds is created or changed, all of it or nothing.
What it does not hold stays as it is.

  --plan              show what would be done, and do nothing
  --cipher-key FILE   the key file of the server that wrote the file (cipher.aes; cipher.key of a Slipway), to open its secrets
  --data-dir DIR      the data directory of a server that does not run (${variableOf(DATA_DIR)}, ${DEFAULT_DATA_DIR})
${REMOTE_USAGE}  --help              this text

Ends with 0 when it is done, 1 when the file is refused, 2 when the command is wrong.

Other commands are export (the configuration, or pipelines of it), plan and apply (bring a server to what files say), restore (a backup)
and audit verify (the events): each has --help.
`;

export function readArguments(args: readonly string[], environment: Environment): Command {
  const read = readCommand(args, OPTIONS, (values, [command, file, ...more]): ImportCommand | Problem => {
    if (command === undefined) return { problem: 'Say what to do.' };
    if (command !== 'import') return { problem: `There is no command ${command}.` };
    if (file === undefined) return { problem: 'Say which file to import.' };
    if (more.length > 0) return { problem: `One file at a time: ${more.join(' ')} is too much.` };
    const to = targetOf(values, environment);
    return 'problem' in to ? to : { file, cipherKeyFile: values['cipher-key'], isPlan: values.plan, to };
  });
  if ('command' in read) return { import: read.command };
  return 'isHelp' in read ? { help: USAGE } : { problem: `${read.problem}\n\n${USAGE}` };
}
