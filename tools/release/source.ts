// The source of a release: a commit, and its time, which is the time of everything in it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lockfile.ts';

export interface Source {
  readonly commit: string;
  readonly time: Date;
}

/** Where there is no repository, as in a container, `SOURCE_COMMIT` and `SOURCE_DATE_EPOCH` state both. */
export function readSource(environment: Readonly<Record<string, string | undefined>>): Source {
  const { SOURCE_COMMIT: commit, SOURCE_DATE_EPOCH: seconds } = environment;
  if (seconds !== undefined && !/^\d{1,11}$/.test(seconds)) throw new Error('SOURCE_DATE_EPOCH must be a number of seconds since 1970.');
  const hasRepository = existsSync(join(ROOT, '.git'));
  return {
    commit: commit || (hasRepository ? git('rev-parse', 'HEAD') : 'unknown'),
    time: new Date(Number(seconds ?? (hasRepository ? git('log', '-1', '--format=%ct') : 0)) * 1000),
  };
}

/** Paths that differ from the commit, if any. */
export function uncommitted(): readonly string[] {
  return git('status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '');
}

export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
