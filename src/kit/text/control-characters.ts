// Control characters: line breaks, NUL and their like, which no path and no address has on purpose.
export const NO_CONTROL_CHARACTERS = 'This must not hold control characters, such as line breaks.';

const CONTROL_CHARACTER = /\p{Cc}/u;

export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

const NOT_IN_PROSE = /(?![\n\r\t])\p{Cc}/u;
/** After the name of a field. */
export const NOT_PROSE = 'must not hold control characters other than line breaks and tabs';

/** Whether a text has control characters that no sentences have: a terminal would obey them, and XML cannot hold them. */
export function isProse(text: string): boolean {
  return !NOT_IN_PROSE.test(text);
}
