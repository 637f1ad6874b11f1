// Asks for the password of a login that was given without one, where the user can type it at a terminal.
import type { Command, FlagTexts } from './command.ts';
import type { Context } from './context.ts';
import { CommandFailed } from './failures.ts';
import { askHidden } from './prompt.ts';
import { namesServer, serverNamed } from './target.ts';

export async function withPassword({ flags }: Command, texts: FlagTexts, context: Context): Promise<FlagTexts> {
  if (!('password' in flags && 'url' in flags) || !context.input.isTTY) return texts;
  const text = (name: string) => {
    const value = texts.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const values = { url: text('url'), token: text('token'), user: text('user'), password: text('password'), context: text('context') };
  // A command that can work on a data directory asks a server only when one is named.
  if ('data-dir' in flags && !namesServer(values, context.environment)) return texts;
  const { token, user, password } = serverNamed(values, context)?.login ?? {};
  if (token !== undefined || user === undefined || password !== undefined) return texts;
  const typed = await askHidden(`Password of ${user}: `, context);
  if (typed === '') throw new CommandFailed('Cancelled: the password is empty.');
  return new Map([...texts, ['password', typed]]);
}
