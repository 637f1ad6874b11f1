// Writes many small files at once, without a wait between them: for a thread that does nothing else.
import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { FILE_MODE } from '../../../kit/files/without-links.ts';

export interface FilesToWrite {
  readonly files: readonly { readonly path: string; readonly length: number }[];
  /** The contents of the files, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface FileToRename {
  readonly from: string;
  readonly to: string;
  /** Deleted before. */
  readonly older?: string | undefined;
}

/** O_NOFOLLOW is absent on Windows. */
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
const CREATE_OR_TRUNCATE = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/** What is there at these paths is replaced, unless it is a link. */
export function writeFiles({ files, bytes }: FilesToWrite): void {
  let at = 0;
  for (const { path, length } of files) {
    writeFile(path, bytes.subarray(at, at + length));
    at += length;
  }
}

export function renameFiles(files: readonly FileToRename[]): void {
  for (const { from, to, older } of files) {
    if (older !== undefined) rmSync(older, { force: true });
    renameSync(from, to);
  }
}

function writeFile(path: string, content: Uint8Array): void {
  const file = openSync(path, CREATE_OR_TRUNCATE, FILE_MODE);
  try {
    for (let done = 0; done < content.length; ) done += writeSync(file, content, done);
  } finally {
    closeSync(file);
  }
}
