// Parses the source and the destination of an artifact, without looking at the disk.
import { posix } from 'node:path';
import { staysBelow } from '../../task/contained-paths.ts';
import { ArtifactFailure } from '../context.ts';

export interface Source {
  readonly text: string;
  /** In front of the first part with a wildcard: where to look. */
  readonly fixed: readonly string[];
  /** From the first part with a wildcard on; none: it is the path of one file or folder. */
  readonly pattern: readonly string[];
}

const WILDCARD = /[*?]/;

export function sourceOf(text: string): Source {
  if (!staysBelow(text)) throw new ArtifactFailure(`The source "${text}" is outside of the folder of the pipeline.`);
  const parts = partsOf(text);
  const first = parts.findIndex((part) => WILDCARD.test(part));
  if (first < 0) return { text, fixed: parts, pattern: [] };
  return { text, fixed: parts.slice(0, first), pattern: patternOf(parts.slice(first)) };
}

/** A folder that matches is taken whole. So `**` at the end means the content of a folder, and several in a row mean one. */
function patternOf(parts: readonly string[]): readonly string[] {
  const whole = parts.at(-1) === '**' ? [...parts, '*'] : parts;
  return whole.filter((part, index) => part !== '**' || whole[index - 1] !== '**');
}

/** The folder on the server; none is that of the job. */
export function destinationOf(text: string): string {
  if (!staysBelow(text.replace(/^[\\/]+/, ''))) throw new ArtifactFailure(`The destination "${text}" is outside of the folder of the job.`);
  return partsOf(text).join('/');
}

function partsOf(text: string): string[] {
  return posix
    .normalize(text.replaceAll('\\', '/'))
    .split('/')
    .filter((part) => part !== '' && part !== '.');
}
