// Names of the users and roles that have some right, and the help for typing them.
import { splitNames } from '../../kit/text/text.ts';

export interface Members {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

/** Limit of suggestions: users do not look through more. */
const MAX_SUGGESTIONS = 50;

/** Whole texts of a field with names separated by commas: what is typed, with the last name completed. */
export function suggestedTexts(text: string, known: readonly string[]): string[] {
  const end = text.lastIndexOf(',') + 1;
  const [before, typed] = [splitNames(text.slice(0, end)), text.slice(end).trim().toLowerCase()];
  const given = new Set(before.map((name) => name.toLowerCase()));
  return known
    .filter((name) => name.toLowerCase().includes(typed) && !given.has(name.toLowerCase()))
    .slice(0, MAX_SUGGESTIONS)
    .map((name) => [...before, name].join(', '));
}

/** Says of which users the server knows nothing yet: they may sign in later, or be misspelled. undefined: all are known. */
export function unknownUsersText(names: readonly string[], known: readonly string[]): string | undefined {
  const signedIn = new Set(known.map((name) => name.toLowerCase()));
  const unknown = names.filter((name) => !signedIn.has(name.toLowerCase()));
  if (unknown.length === 0) return undefined;
  return `No user of this name has signed in yet: ${unknown.join(', ')}.`;
}
