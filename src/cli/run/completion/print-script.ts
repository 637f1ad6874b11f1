// The command that prints the completion script of a shell.
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { UsageError } from '../../terminal/failures.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';

export async function runCompletion({ positionals: [given = ''] }: ParsedArguments<object>, { out }: Context): Promise<number> {
  const shell = SHELLS.find((one) => one === given);
  if (!shell) throw new UsageError(`SHELL must be one of ${SHELLS.join(', ')}, not '${given}'.`);
  out.write(SCRIPTS[shell]);
  return 0;
}
