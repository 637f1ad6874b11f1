// The command that completion scripts call: prints the words that could come next, each with a tab and its meaning.
import type { Command } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { type Candidate, completionOf } from './candidates.ts';
import { serverCandidates } from './server-candidates.ts';

/** The first line says whether files are wanted, or words, which follow. */
const FILES = 'files';
const WORDS = 'words';
const MAX_CANDIDATES = 1000;

export async function printCompletions(typed: readonly string[], commands: readonly Command[], context: Context): Promise<number> {
  const wanted = completionOf(commands, typed);
  const { offer, candidates } = wanted;
  if (offer === 'file') {
    context.out.write(`${FILES}\n`);
    return 0;
  }
  const fromServer = offer === undefined ? [] : (await quietly(() => serverCandidates(offer, wanted, context))).filter(isNoOption);
  const current = typed.at(-1) ?? '';
  const matching = [...candidates, ...fromServer].filter(({ word }) => word.startsWith(current)).slice(0, MAX_CANDIDATES);
  context.out.write([WORDS, ...matching.map(lineOf), ''].join('\n'));
  return 0;
}

/** A user who presses Tab gets words or nothing: messages would stand in the middle of the typed line. */
async function quietly(ask: () => Promise<readonly Candidate[]>): Promise<readonly Candidate[]> {
  return ask().catch(() => []);
}

/** An attacker may have called something `--url=https://evil.example`: as an option it would lead a login elsewhere. */
function isNoOption({ word }: Candidate): boolean {
  return !word.startsWith('-');
}

function lineOf({ word, about }: Candidate): string {
  return [word, about].map((text) => text.replaceAll(/[\p{Cc}]+/gu, ' ')).join('\t');
}
