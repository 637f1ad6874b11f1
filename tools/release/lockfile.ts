// The entries of the lockfile for packages that are part of the product, or come along with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLATFORMS } from './platforms.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** `sha512-…`, in base64. */
  readonly integrity: string;
  readonly license: string | undefined;
  /** Its folder, from the root of the repository. */
  readonly path: string;
}

interface LockfileEntry {
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
}

function lockedPackages(): readonly LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockfileEntry> };
  return Object.entries(packages).flatMap(([path, { name, version, integrity, license, dev }]) => {
    if (path === '' || dev) return [];
    if (integrity === undefined) throw new Error(`The lockfile has no integrity of ${path}.`);
    return [{ name: name ?? path.replace(/^.*node_modules\//, ''), version, integrity, license, path }];
  });
}

const NODE_PACKAGES: ReadonlySet<string> = new Set(Object.values(PLATFORMS).map(({ nodePackage }) => nodePackage));
/** Makes the bundle, and is not in it. */
const isBundler = (name: string) => name === 'esbuild' || name.startsWith('@esbuild/');

/** The packages whose code is in the bundle. */
export function bundledPackages(): readonly LockedPackage[] {
  return lockedPackages().filter(({ name }) => !NODE_PACKAGES.has(name) && !isBundler(name));
}

/** One for each platform: the Node that the bundle runs on. */
export function nodePackages(): readonly LockedPackage[] {
  return lockedPackages().filter(({ name }) => NODE_PACKAGES.has(name));
}
