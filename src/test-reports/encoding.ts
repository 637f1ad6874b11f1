// The encoding of a report, by its first bytes. Reports are written on all kinds of machines.

const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const STARTS: readonly (readonly [encoding: string, ...bytes: number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
  ['utf-16le', 0x3c, 0x00],
  ['utf-16be', 0x00, 0x3c],
];
const DECLARED = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/;
/** An encoding is declared among so many bytes. */
export const START_BYTES = 200;

const COMPRESSED = 'The file is compressed. Only plain XML is read.';

/** Bytes that are none of a character become U+FFFD: tests may print any bytes. */
export function decoderFor(start: Buffer): { readonly decoder: TextDecoder } | { readonly problem: string } {
  if ([GZIP, ZIP].some((bytes) => beginsWith(start, bytes))) return { problem: COMPRESSED };
  const found = STARTS.find(([, ...bytes]) => beginsWith(start, bytes))?.[0];
  const encoding = found ?? DECLARED.exec(start.subarray(0, START_BYTES).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return { decoder: new TextDecoder(encoding) };
  } catch {
    return { problem: `The encoding ${encoding.slice(0, 40)} is not known.` };
  }
}

function beginsWith(start: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => start[index] === byte);
}
