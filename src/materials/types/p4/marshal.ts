// Reads the dictionaries that p4 prints with -G, in the form that Python's marshal module writes.
import { MaterialProblem } from '../../clients/client.ts';

export type Dictionary = ReadonlyMap<string, string>;

const BEGIN = '{'.charCodeAt(0);
const END = '0'.charCodeAt(0);
const TEXTS = new Set([...'sua'].map((letter) => letter.charCodeAt(0)));
const NUMBER = 'i'.charCodeAt(0);

/** Takes bytes as they come and gives the dictionaries that are complete. */
export class DictionaryReader {
  readonly #encoding: BufferEncoding;
  #bytes: Buffer = Buffer.alloc(0);
  /** Number of bytes that are needed before reading is tried again. */
  #wanted = 0;

  /** With `latin1` each character of a value is a byte. */
  constructor(encoding: BufferEncoding = 'utf8') {
    this.#encoding = encoding;
  }

  take(chunk: Buffer): Dictionary[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const found: Dictionary[] = [];
    let at = 0;
    while (this.#bytes.length - at >= this.#wanted) {
      const read = readDictionary(this.#bytes, at, this.#encoding);
      if (!read) {
        this.#wanted = 2 * (this.#bytes.length - at);
        break;
      }
      found.push(read.dictionary);
      at = read.end;
      this.#wanted = 1;
    }
    this.#bytes = this.#bytes.subarray(at);
    return found;
  }

  /** After all bytes: dictionaries that waited for more, and nothing half. */
  rest(): Dictionary[] {
    this.#wanted = 0;
    const found = this.#bytes.length > 0 ? this.take(Buffer.alloc(0)) : [];
    if (this.#bytes.length > 0) throw new MaterialProblem('What p4 printed ends too early.');
    return found;
  }
}

function readDictionary(
  bytes: Buffer,
  start: number,
  encoding: BufferEncoding,
): { readonly dictionary: Dictionary; readonly end: number } | undefined {
  if (start >= bytes.length) return undefined;
  if (bytes[start] !== BEGIN) throw new MaterialProblem('What p4 printed cannot be read.');
  const dictionary = new Map<string, string>();
  let at = start + 1;
  while (bytes[at] !== END) {
    const key = readValue(bytes, at, encoding);
    const value = key && readValue(bytes, key.end, encoding);
    if (!value) return undefined;
    dictionary.set(key.text, value.text);
    at = value.end;
  }
  return { dictionary, end: at + 1 };
}

function readValue(bytes: Buffer, at: number, encoding: BufferEncoding): { readonly text: string; readonly end: number } | undefined {
  if (at + 5 > bytes.length) return undefined;
  const number = bytes.readInt32LE(at + 1);
  if (bytes[at] === NUMBER) return { text: String(number), end: at + 5 };
  if (!TEXTS.has(bytes[at]!) || number < 0) throw new MaterialProblem('What p4 printed cannot be read.');
  const end = at + 5 + number;
  return end > bytes.length ? undefined : { text: bytes.toString(encoding, at + 5, end), end };
}
