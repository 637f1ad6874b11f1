// Asks the user at the terminal. A secret is not shown while it is typed.
import { stripVTControlCharacters } from 'node:util';
import type { Context } from './context.ts';
import { CommandFailed, UsageError } from './failures.ts';

const ENTER = new Set(['\r', '\n']);
const BACKSPACE = new Set(['\u007f', '\b']);
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';
const CANCELLED = 'Cancelled.';

type Terminal = Pick<Context, 'input' | 'err'>;

/** `input` must be a terminal, as for all questions. */
export async function askHidden(question: string, { input, err }: Terminal): Promise<string> {
  input.setRawMode?.(true);
  try {
    return await ask(question, { input, err });
  } finally {
    input.setRawMode?.(false);
    err.write('\n');
  }
}

/** The terminal echoes the typed characters, and ends lines itself. */
export async function askLine(question: string, terminal: Terminal): Promise<string> {
  return (await ask(question, terminal)).trim();
}

/** Without a terminal to ask the user there is no consent. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.input.isTTY) throw new UsageError('There is no terminal to ask for consent: give --yes.');
  return /^y(?:es)?$/i.test(await askLine(`${question} [y/N] `, terminal));
}

async function ask(question: string, { input, err }: Terminal): Promise<string> {
  err.write(question);
  input.setEncoding('utf8');
  // Unless it is in raw mode, the terminal makes a signal of Ctrl+C, which would end the process before it could tidy up.
  // Nothing is asked afterwards, and a terminal that is still read would keep the process.
  const interrupt = () => input.destroy(new CommandFailed(CANCELLED));
  process.once('SIGINT', interrupt);
  let typed: string[] = [];
  try {
    for await (const chunk of input.iterator({ destroyOnReturn: false })) {
      // Control sequences of keys such as the arrows are no part of a secret.
      const characters = [...stripVTControlCharacters(String(chunk))];
      for (const [index, character] of characters.entries()) {
        if (ENTER.has(character)) {
          // Text pasted after the line break answers the next question.
          if (index + 1 < characters.length) input.unshift(characters.slice(index + 1).join(''));
          return typed.join('');
        }
        if (character === CTRL_C || (character === CTRL_D && typed.length === 0)) throw new CommandFailed(CANCELLED);
        if (BACKSPACE.has(character)) typed = typed.slice(0, -1);
        else if (character === CTRL_U) typed = [];
        else typed.push(character);
      }
    }
    return typed.join('');
  } finally {
    process.off('SIGINT', interrupt);
    input.pause();
  }
}
