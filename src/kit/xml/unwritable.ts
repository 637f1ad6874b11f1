// Characters that XML 1.0 cannot hold in any way, such as U+0000: in a document a mark and four digits stand for them.

/** The picture of the Escape key. Where it is meant itself, it is written like the others. */
const MARK = '\u241B';
const SINGLE = '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\uFFFE\\uFFFF\\u241B';
const HALF_A_PAIR = '[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]';
const UNWRITABLE = new RegExp(`[${SINGLE}]|${HALF_A_PAIR}`, 'g');
/** For use between brackets in a regular expression: texts without any of these need no marks. */
export const MAY_NEED_MARKS = `${SINGLE}\\uD800-\\uDFFF`;
const WRITTEN = /\u241B([0-9a-f]{4})/g;

/** U+0000 becomes `␛0000`. */
export function withMarks(text: string): string {
  return text.replace(UNWRITABLE, (character) => `${MARK}${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Digits of a character that needs no mark are left as they are: `withMarks` did not write them. */
export function withoutMarks(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replace(WRITTEN, (written, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return character.search(UNWRITABLE) === 0 ? character : written;
  });
}
