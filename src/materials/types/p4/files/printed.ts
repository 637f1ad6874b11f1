// Puts the pieces together that `p4 print` gives of many files.

import { MAX_BYTES_IN_ALL } from '../../../files/limits.ts';
import type { Content } from '../../../files/source.ts';
import type { Dictionary } from '../marshal.ts';

/** A file in the depot as commands take it. */
export function idOf(depotFile: string, revision: string | undefined): string {
  return `${depotFile}#${revision}`;
}

/** Every character of the answers is a byte. `paths` are by the ids of the files. */
export async function* printed(
  answers: AsyncIterable<readonly Dictionary[]>,
  paths: ReadonlyMap<string, string>,
  maxBytes: number,
): AsyncGenerator<Content, void> {
  let open: OpenFile | undefined;
  for await (const some of answers) {
    for (const answer of some) {
      const depotFile = answer.get('depotFile');
      if (depotFile === undefined) open?.add(Buffer.from(answer.get('data') ?? '', 'latin1'));
      else {
        if (open) yield open.content();
        open = new OpenFile(paths.get(idOf(utf8(depotFile), answer.get('rev'))) ?? '', maxBytes);
      }
    }
    if (open?.isHuge) yield open.content();
  }
  if (open) yield open.content();
}

/** A file whose content comes in pieces. */
class OpenFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** Whether the file is too large to wait for its end. */
  get isHuge(): boolean {
    return this.#size > MAX_BYTES_IN_ALL;
  }

  add(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size <= this.#maxBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  content(): Content {
    const isWhole = this.#size <= this.#maxBytes;
    return { path: this.#path, size: this.#size, ...(isWhole && { bytes: new Uint8Array(Buffer.concat(this.#pieces)) }) };
  }
}

function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
