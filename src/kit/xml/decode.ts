// The bytes of a document as text: UTF-8 and nothing else.
import { isUtf8 } from 'node:buffer';
import type { TextProblem } from './tree.ts';

/** The first bytes of documents in other encodings, with or without a byte order mark. */
const OTHER_ENCODINGS: readonly (readonly [name: string, ...bytes: number[]])[] = [
  ['UTF-32', 0x00, 0x00, 0xfe, 0xff],
  ['UTF-32', 0xff, 0xfe, 0x00, 0x00],
  ['UTF-32', 0x00, 0x00, 0x00, 0x3c],
  ['UTF-32', 0x3c, 0x00, 0x00, 0x00],
  ['UTF-16', 0xfe, 0xff],
  ['UTF-16', 0xff, 0xfe],
  ['UTF-16', 0x00, 0x3c],
  ['UTF-16', 0x3c, 0x00],
];
const DECLARED = /^(?:\u00EF\u00BB\u00BF)?<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/;
const MAX_DECLARATION_BYTES = 200;
const LINE_BREAK = 0x0a;

export function decode(bytes: Uint8Array): { readonly text: string } | { readonly problem: TextProblem } {
  const other = OTHER_ENCODINGS.find(([, ...start]) => start.every((byte, index) => bytes[index] === byte));
  if (other) return { problem: { line: 1, column: 1, message: otherEncoding(other[0]) } };
  const declared = DECLARED.exec(Buffer.from(bytes.subarray(0, MAX_DECLARATION_BYTES)).toString('latin1'))?.[1];
  if (declared !== undefined && !isUtf8Name(declared)) return { problem: { line: 1, column: 1, message: otherEncoding(declared) } };
  return isUtf8(bytes) ? { text: new TextDecoder().decode(bytes) } : { problem: firstBadByte(bytes) };
}

export function isUtf8Name(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding);
}

export function otherEncoding(name: string): string {
  return `The document is in the encoding ${name.slice(0, 40)}. Only UTF-8 is accepted.`;
}

/** No character has a line break among its bytes, so lines can be looked at one by one. */
function firstBadByte(bytes: Uint8Array): TextProblem {
  for (let line = 1, start = 0; ; line++) {
    const next = bytes.indexOf(LINE_BREAK, start);
    const one = bytes.subarray(start, next < 0 ? bytes.length : next);
    if (!isUtf8(one) || next < 0) {
      const column = new TextDecoder().decode(one).indexOf('\uFFFD') + 1;
      return { line, column: Math.max(column, 1), message: 'There are bytes that are not UTF-8. Only UTF-8 is accepted.' };
    }
    start = next + 1;
  }
}
