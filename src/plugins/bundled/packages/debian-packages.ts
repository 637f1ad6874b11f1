// Looks through an index of a Debian archive as it comes for the newest version of one package.

import { pause } from '../../../kit/concurrency/time-slices.ts';
import { RepositoryFailure } from './check-result.ts';
import { fieldsOf } from './debian-release.ts';
import { compareVersions } from './debian-version.ts';

export interface DebianPackage {
  readonly version: string;
  readonly architecture: string;
  readonly maintainer: string | undefined;
  readonly description: string | undefined;
  /** Where it is, below the address of the archive. */
  readonly path: string | undefined;
}

const END_OF_ENTRY = '\n\n';
const MAX_ENTRY_LENGTH = 4_000_000;

export async function newestIn(index: AsyncIterable<Uint8Array>, name: string): Promise<DebianPackage | undefined> {
  const decoder = new TextDecoder();
  let newest: DebianPackage | undefined;
  let rest = '';
  const look = (entries: string) => {
    // Most pieces of an index do not name the package at all.
    if (entries.includes(name)) for (const entry of entries.split(END_OF_ENTRY)) newest = newer(newest, packageOf(entry, name));
  };
  for await (const chunk of index) {
    await pause();
    rest += decoder.decode(chunk, { stream: true });
    const end = rest.lastIndexOf(END_OF_ENTRY);
    if (end < 0) {
      if (rest.length > MAX_ENTRY_LENGTH) throw new RepositoryFailure('The index of the archive has an entry that is too long.');
      continue;
    }
    look(rest.slice(0, end));
    rest = rest.slice(end + END_OF_ENTRY.length);
  }
  look(rest + decoder.decode());
  return newest;
}

export function newer(one: DebianPackage | undefined, other: DebianPackage | undefined): DebianPackage | undefined {
  if (!one || !other) return one ?? other;
  return compareVersions(one.version, other.version) < 0 ? other : one;
}

function packageOf(entry: string, name: string): DebianPackage | undefined {
  if (!entry.includes(name)) return undefined;
  const fields = fieldsOf(entry);
  const version = fields.get('version');
  if (fields.get('package') !== name || version === undefined) return undefined;
  return {
    version,
    architecture: fields.get('architecture') ?? '',
    maintainer: fields.get('maintainer'),
    description: fields.get('description')?.split('\n')[0],
    path: fields.get('filename'),
  };
}
