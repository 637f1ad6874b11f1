// A new password: typed twice at the terminal, read from standard input, or generated.
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { hasControlCharacter } from '../../kit/text/control-characters.ts';
import type { Context } from './context.ts';
import { CommandFailed, UsageError } from './failures.ts';
import { askHidden } from './prompt.ts';

const MIN_LENGTH = 8;
/** bcrypt looks at no more than these. */
const MAX_BYTES = 72;
const GENERATED_BYTES = 15;

export interface NewPasswordValues {
  readonly generate: boolean;
  readonly stdin: boolean;
}

export async function newPassword({ generate, stdin }: NewPasswordValues, loginName: string, context: Context): Promise<string> {
  if (generate && stdin) throw new UsageError('Give --generate or --stdin, not both.');
  if (generate) return randomBytes(GENERATED_BYTES).toString('base64url');
  const password = stdin ? (await text(context.input)).replace(/\r?\n$/, '') : await typed(loginName, context);
  const problem = problemWith(password);
  if (problem !== undefined) throw new CommandFailed(problem);
  return password;
}

async function typed(loginName: string, context: Context): Promise<string> {
  if (!context.input.isTTY) throw new UsageError('There is no terminal to ask for the password: give --stdin or --generate.');
  const password = await askHidden(`New password of ${loginName}: `, context);
  const problem = problemWith(password);
  if (problem !== undefined) throw new CommandFailed(problem);
  if ((await askHidden('Once more: ', context)) !== password) throw new CommandFailed('The two passwords differ. Nothing was changed.');
  return password;
}

function problemWith(password: string): string | undefined {
  if ([...password].length < MIN_LENGTH) return `The password is too short: it needs at least ${MIN_LENGTH} characters.`;
  if (Buffer.byteLength(password) > MAX_BYTES) return `The password is too long: at most ${MAX_BYTES} bytes count.`;
  return hasControlCharacter(password) ? 'The password must not contain control characters, such as line breaks.' : undefined;
}
