// Generated texts with all of Unicode, and many of the characters that could go wrong in XML.
import * as fc from 'fast-check';

const TROUBLE = [
  ...['\r', '\n', ' ', '\t', ']]>', ']', '&', '&amp;', '<', '>', '"', "'", '?>', '{', '#'],
  ...['␛', '0000', '241b', '\u0000', '\uD83D', '\uDE00', '\uFFFF'],
];

export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: 'binary', maxLength }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: maxLength / 2 }).map((codes) => String.fromCharCode(...codes)),
    fc.array(fc.constantFrom(...TROUBLE), { maxLength: maxLength / 2 }).map((pieces) => pieces.join('')),
  );
}
