// Asks for the password of a login that was given without one, where somebody sits at the terminal.
import type { Command, FlagTexts } from './command.ts';
import type { Context } from './context.ts';
import { CommandFailed } from './failures.ts';
import { askHidden } from './prompt.ts';
import { loginOf, urlOf } from './target.ts';

export async function withPassword({ flags }: Command, texts: FlagTexts, context: Context): Promise<FlagTexts> {
  const { environment, input } = context;
  const text = (name: string) => {
    const value = texts.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  if (!('password' in flags) || !input.isTTY || urlOf({ url: text('url') }, environment) === undefined) return texts;
  const { token, user, password } = loginOf({ token: text('token'), user: text('user'), password: text('password') }, environment);
  if (token !== undefined || user === undefined || password !== undefined) return texts;
  const typed = await askHidden(`Password of ${user}: `, context);
  if (typed === '') throw new CommandFailed('Cancelled: the password is empty.');
  return new Map([...texts, ['password', typed]]);
}
