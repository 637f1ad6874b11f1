// Reads files that are only to be checked: nothing of them is kept.
import type { ChosenFile, ParsedFile } from '../../contracts/plugins/config-repo.ts';
import type { PathProblem } from '../../materials/files/contract.ts';
import { fromOutline, type PackedFile, sizeProblem, unpacked, unreadable } from '../parsing/packed.ts';
import { ParseFailure } from '../parsing/pool.ts';

export interface FileToCheck extends ChosenFile {
  readonly bytes: Uint8Array;
}

export interface ParseParts {
  parse(plugin: string, file: ChosenFile, bytes: Uint8Array, signal?: AbortSignal): Promise<PackedFile>;
  onFault(failure: unknown, message: string): void;
}

/** Maximum number of files of one request that are parsed at a time: other requests need their turn, too. */
const PARSED_AT_ONCE = 4;
/** Files that cost a thread each are not read to the last. */
const MAX_UNPARSED = 3;

/** In the order of their paths. */
export async function parseAll(
  plugin: string,
  files: AsyncIterable<FileToCheck | PathProblem> | Iterable<FileToCheck | PathProblem>,
  signal: AbortSignal,
  parts: ParseParts,
): Promise<readonly ParsedFile[]> {
  const parsed: ParsedFile[] = [];
  let unparsed = 0;
  const sizes: number[] = [];
  const waiting = inTurn(files);
  const work = async () => {
    for await (const file of waiting) parsed.push(await one(file));
  };
  await Promise.all(Array.from({ length: PARSED_AT_ONCE }, work));
  return parsed.sort(({ path: first }, { path: second }) => (first < second ? -1 : 1));

  async function one(file: FileToCheck | PathProblem): Promise<ParsedFile> {
    const { path } = file;
    if ('message' in file) return fromOutline(path, unreadable(path, file.message));
    try {
      if (unparsed >= MAX_UNPARSED) throw new ParseFailure('Not read, because others could not be.');
      signal.throwIfAborted();
      const packed = await parts.parse(plugin, { path, as: file.as }, file.bytes, signal);
      sizes.push(packed.outline.size ?? 0);
      const tooMuch = sizeProblem(sizes);
      if (tooMuch) return fromOutline(path, unreadable(path, tooMuch.message, tooMuch.hint));
      return packed.rest === '' ? fromOutline(path, packed.outline) : unpacked(path, packed);
    } catch (failure) {
      if (!(failure instanceof ParseFailure)) throw failure;
      unparsed++;
      if (failure.cause) parts.onFault(failure.cause, `the file ${path}, which was to be checked, could not be parsed`);
      return fromOutline(path, unreadable(path, failure.message));
    }
  }
}

/** Can be taken from by several at once. */
async function* inTurn<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void> {
  yield* items;
}
