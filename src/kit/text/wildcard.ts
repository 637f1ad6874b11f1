// Names with wildcards: `*` is any run of characters, `?` exactly one; letter case does not count.
import { characterMatches, runMatches } from './run-matches.ts';

/** No existing name is longer. A name that a client sends may be, and must cost nothing. */
const MAX_NAME_LENGTH = 5_000;

export function matchesWildcard(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  return name.length <= MAX_NAME_LENGTH && runMatches(charactersOf(pattern), charactersOf(name), '*', characterMatches);
}

/** In one letter case. Nearly all names are of plain letters, and their text is a list of them. */
function charactersOf(text: string): ArrayLike<string> {
  return /^\p{ASCII}*$/u.test(text) ? text.toLowerCase() : Array.from(text, inOneCase);
}

/** One character stays one, and letters that only look alike do not become the same: the rule of regular expressions. */
function inOneCase(character: string): string {
  const forms = [character.toUpperCase().toLowerCase(), character.toLowerCase()];
  return forms.find((form) => form !== character && isSameLetter(form, character)) ?? character;
}

function isSameLetter(form: string, character: string): boolean {
  return new RegExp(`^${RegExp.escape(form)}$`, 'iu').test(character);
}
