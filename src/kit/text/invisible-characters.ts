// Characters that a reader does not see in a name: control characters, zero-width characters, marks of direction, unusual blanks.
// With them two names look the same, or a line of a file or log becomes two.
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
const EVERY_UNSEEN = new RegExp(UNSEEN, 'gu');

export const NO_INVISIBLE_CHARACTERS =
  'This must not hold control characters or invisible ones, such as line breaks and zero-width spaces.';

export function hasInvisibleCharacter(text: string): boolean {
  return UNSEEN.test(text);
}

/** The text with such characters spelled out, to be shown to a user. */
export function escapeInvisible(text: string): string {
  return text.replace(EVERY_UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16).padStart(4, '0')}}`);
}
