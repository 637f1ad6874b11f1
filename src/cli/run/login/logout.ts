// The command that logs out of a server: it revokes the access token there, and removes the context.
import { COMMAND } from '../../../kit/process/own-commands.ts';
import { changeContexts } from '../../contexts/change-contexts.ts';
import { type Contexts, findContext, withoutContext } from '../../contexts/contexts.ts';
import { readContexts } from '../../contexts/contexts-file.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import { revokeKept } from './revoke.ts';

interface LogoutValues {
  readonly context: string | undefined;
  readonly force: boolean;
}

export async function runLogout({ values }: ParsedArguments<LogoutValues>, context: Context): Promise<number> {
  const kept = findContext(readContexts(context.environment), values.context);
  if (!kept) throw new UsageError('No context is current: name one with --context.');
  const end = await revokeKept(kept).catch((failure: unknown) => {
    if (!(failure instanceof CommandFailed)) throw failure;
    const message = `The access token could not be revoked: ${failure.message}`;
    if (!values.force) throw new CommandFailed(`${message}\nTo forget it all the same: ${COMMAND} logout --force`, { kind: failure.kind });
    context.err.write(`${message}\n`);
    return 'left' as const;
  });
  // A login meanwhile under the same name has another token, and stays.
  const forget = (now: Contexts) => (now.contexts[kept.name]?.token === kept.token ? withoutContext(now, kept.name) : now);
  await changeContexts(forget, context.environment);
  context.out.write(
    `Logged out of ${kept.url}. The access token is ${end === 'revoked' ? 'revoked' : 'forgotten here, and still valid'}.\n`,
  );
  return 0;
}
