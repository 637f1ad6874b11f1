// Where the agent keeps copies of repositories: a name of its own for each material.
import { join } from 'node:path';
import { sha256 } from '../../kit/bytes/hash.ts';

/** A fingerprint that is no plain name could lead elsewhere. */
export function cacheFor(cacheFolder: string, kind: string, fingerprint: string): string {
  return join(cacheFolder, kind, /^\w[\w-]*$/.test(fingerprint) ? fingerprint : sha256(fingerprint));
}
