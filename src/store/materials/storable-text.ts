// Texts that come from the repositories of others, in a form that every database keeps.

const NUL = '\0';
const REPLACEMENT = '\uFFFD';

/** PostgreSQL has no place for U+0000 in a text. */
export function storableText<T extends string | null>(text: T): T | string {
  return text?.includes(NUL) ? text.replaceAll(NUL, REPLACEMENT) : text;
}
