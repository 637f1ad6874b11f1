// The contents of many files by few processes: the output of svn is cut by the sizes that it listed before.

import type { Content } from '../../../files/source.ts';
import type { Svn } from '../svn.ts';

export interface SizedFile {
  readonly path: string;
  readonly address: string;
  readonly size: number;
}

const MAX_FILES_AT_ONCE = 200;
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024;
/** Line ends that do not fit the properties of a file are changed on the way, which can double it. */
const ROOM = 2;

export async function* catFiles(svn: Svn, files: readonly SizedFile[], maxBytes: number): AsyncGenerator<Content, void> {
  const [small, large] = [files.filter(({ size }) => size <= maxBytes), files.filter(({ size }) => size > maxBytes)];
  for (const { path, size } of large) yield { path, size };
  for (const group of grouped(small)) {
    const printed = await cat(svn, group);
    const total = group.reduce((sum, { size }) => sum + size, 0);
    if (printed.length === total) yield* cut(printed, group);
    else for (const file of group) yield contentOf(file.path, await cat(svn, [file]));
  }
}

function* grouped(files: readonly SizedFile[]): Generator<readonly SizedFile[]> {
  let group: SizedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (group.length >= MAX_FILES_AT_ONCE || (group.length > 0 && bytes + file.size > MAX_BYTES_AT_ONCE)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(file);
    bytes += file.size;
  }
  if (group.length > 0) yield group;
}

async function cat(svn: Svn, files: readonly SizedFile[]): Promise<Buffer> {
  const maxOutputBytes = 1024 + ROOM * files.reduce((sum, { size }) => sum + size, 0);
  const chunks: Buffer[] = [];
  const args = ['cat', '--ignore-keywords', '--', ...files.map(({ address }) => address)];
  for await (const chunk of svn.chunks(args, { maxOutputBytes })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function* cut(printed: Buffer, files: readonly SizedFile[]): Generator<Content> {
  let at = 0;
  for (const { path, size } of files) {
    yield contentOf(path, printed.subarray(at, at + size));
    at += size;
  }
}

/** Memory of its own, so that it can be handed to another thread. */
function contentOf(path: string, bytes: Buffer): Content {
  return { path, size: bytes.length, bytes: new Uint8Array(bytes) };
}
