// Names and versions of npm packages: how a package is addressed, and which of its versions is meant.
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import validRange from 'semver/ranges/valid.js';

const PACKAGE_NAME = /^(?:@[\w!'()*.~-]+\/)?[\w!'()*~-][\w!'()*.~-]*$/;

/** Reading one takes time that grows with its length. */
const MAX_RANGE_LENGTH = 1000;

export function isPackageName(name: string): boolean {
  return PACKAGE_NAME.test(name);
}

/** The path of a package in its registry: a scope stays in one piece with the name. */
export function packagePath(name: string): string {
  return name.replace('/', '%2f');
}

export function isVersionRange(text: string): boolean {
  return text.length <= MAX_RANGE_LENGTH && validRange(text) !== null;
}

/** The highest version in a range; one before a release only if the range speaks of such. */
export function highestIn(range: string, versions: readonly string[]): string | undefined {
  return maxSatisfying([...versions], range) ?? undefined;
}
