// Limits of the files that are read of a config repo: more than any real one has, and too few to exhaust the server.
import { MAX_SOURCE_FILE_BYTES } from '../../contracts/plugins/config-repo.ts';

const MEGABYTE = 1024 * 1024;

const MAX_FILES = 20_000;
export const MAX_FILE_BYTES = MAX_SOURCE_FILE_BYTES;
export const MAX_BYTES_IN_ALL = 100 * MEGABYTE;

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** The problem with an amount, for all files of a repository as well as for those that are read at a time; undefined: none. */
export function limitProblem({ files, bytes }: Amount): string | undefined {
  if (files > MAX_FILES) return `More than ${formatCount(MAX_FILES)} files match; choose fewer with the pattern of the config repo.`;
  if (bytes > MAX_BYTES_IN_ALL) return `The files that match have more than ${inMegabytes(MAX_BYTES_IN_ALL)} in all.`;
  return undefined;
}

export function tooLargeMessage(path: string, size: number): string {
  return `${path} has ${inMegabytes(size)}; at most ${inMegabytes(MAX_FILE_BYTES)} of a file are read.`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil((10 * bytes) / MEGABYTE) / 10} MB`;
}
