// Asks for a secret at the terminal, without showing what is typed.
import { stripVTControlCharacters } from 'node:util';
import type { Context } from './context.ts';
import { CommandFailed } from './failures.ts';

const ENTER = new Set(['\r', '\n']);
const BACKSPACE = new Set(['\u007f', '\b']);
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';

/** `input` must be a terminal. */
export async function askHidden(question: string, { input, err }: Pick<Context, 'input' | 'err'>): Promise<string> {
  err.write(question);
  input.setEncoding('utf8');
  input.setRawMode?.(true);
  let typed: string[] = [];
  try {
    for await (const chunk of input.iterator({ destroyOnReturn: false })) {
      // What keys such as the arrows send is no part of a secret.
      const characters = [...stripVTControlCharacters(String(chunk))];
      for (const [index, character] of characters.entries()) {
        if (ENTER.has(character)) {
          // What was pasted behind it answers the next question.
          if (index + 1 < characters.length) input.unshift(characters.slice(index + 1).join(''));
          return typed.join('');
        }
        if (character === CTRL_C || (character === CTRL_D && typed.length === 0)) throw new CommandFailed('Cancelled.');
        if (BACKSPACE.has(character)) typed = typed.slice(0, -1);
        else if (character === CTRL_U) typed = [];
        else typed.push(character);
      }
    }
    return typed.join('');
  } finally {
    input.setRawMode?.(false);
    input.pause();
    err.write('\n');
  }
}
