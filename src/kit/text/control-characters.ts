// Control characters: line breaks, NUL and their like, which no path and no address has on purpose.
export const NO_CONTROL_CHARACTERS = 'This must not hold control characters, such as line breaks.';

const CONTROL_CHARACTER = /\p{Cc}/u;

export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}
