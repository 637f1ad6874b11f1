// Which version this is, and which version of the administration API's dialect it speaks.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLATION } from '../kit/process/own-program.ts';

/** Clients choose API versions by this number: it is the release of GoCD whose API this server has, not our own. */
export const DIALECT_VERSION = '23.2.0';

export interface Version {
  readonly release: string;
  readonly gitSha: string;
}

interface Manifest {
  readonly version: string;
  /** The commit that a package was made from. */
  readonly gitHead?: string;
}

export function readVersion(): Version {
  const { version, gitHead } = JSON.parse(readFileSync(join(INSTALLATION, 'package.json'), 'utf8')) as Manifest;
  return { release: version, gitSha: gitHead ?? gitSha() };
}

/** As people quote it: the version of GoCD, and of this server. */
export function fullVersion({ release, gitSha }: Version): string {
  return `${DIALECT_VERSION} (${release}-${gitSha})`;
}

/** The commit this server runs from, where it runs from a checkout. */
function gitSha(): string {
  const read = (path: string) =>
    existsSync(join(INSTALLATION, '.git', path)) ? readFileSync(join(INSTALLATION, '.git', path), 'utf8').trim() : '';
  const head = read('HEAD');
  const [, branch] = /^ref: (.+)$/.exec(head) ?? [];
  return (branch === undefined ? head : read(branch)) || 'unknown';
}
