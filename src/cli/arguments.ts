// The arguments of an import, read and checked.
import { parseArgs } from 'node:util';
import { variableOf } from '../settings.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, type Environment, REMOTE_USAGE, TARGET_OPTIONS, type Target, targetOf } from './target.ts';

export interface ImportCommand {
  readonly file: string;
  readonly cipherKeyFile: string | undefined;
  readonly isPlan: boolean;
  readonly to: Target;
}

export type Command = { readonly import: ImportCommand } | { readonly help: string } | { readonly problem: string };

export const USAGE = `Usage: npm run slipway -- import FILE [options]

Imports a configuration file (cruise-config.xml, schema versions 100 to 139): what it holds is created or changed, all of it or nothing.
What it does not hold stays as it is.

  --plan              show what would be done, and do nothing
  --cipher-key FILE   the key file of the server that wrote the file (cipher.aes; cipher.key of a Slipway), to open its secrets
  --data-dir DIR      the data directory of a server that does not run (${variableOf(DATA_DIR)}, ${DEFAULT_DATA_DIR})
${REMOTE_USAGE}  --help              this text

Ends with 0 when it is done, 1 when the file is refused, 2 when the command is wrong.
`;

export function readArguments(args: readonly string[], environment: Environment): Command {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...TARGET_OPTIONS,
        'cipher-key': { type: 'string' },
        plan: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: USAGE };
    const [command, file, ...more] = positionals;
    if (command === undefined) return wrong('Say what to do.');
    if (command !== 'import') return wrong(`There is no command ${command}.`);
    if (file === undefined) return wrong('Say which file to import.');
    if (more.length > 0) return wrong(`One file at a time: ${more.join(' ')} is too much.`);
    const to = targetOf(values, environment);
    if ('problem' in to) return wrong(to.problem);
    return { import: { file, cipherKeyFile: values['cipher-key'], isPlan: values.plan, to } };
  } catch (failure) {
    if (!String((failure as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw failure;
    return wrong((failure as Error).message);
  }
}

function wrong(problem: string): Command {
  return { problem: `${problem}\n\n${USAGE}` };
}
