// Which version this is, and which version of the administration API's dialect it speaks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLATION } from '../kit/process/own-program.ts';
import { checkoutCommit } from './checkout-commit.ts';

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
  return { release: version, gitSha: gitHead ?? checkoutCommit(INSTALLATION) ?? 'unknown' };
}

/** As people quote it: the version of GoCD, and of this server. */
export function fullVersion({ release, gitSha }: Version): string {
  return `${DIALECT_VERSION} (${release}-${gitSha})`;
}
