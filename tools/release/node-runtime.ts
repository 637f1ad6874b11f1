// The Node of a platform, from the package that the lockfile names: from this installation, or fetched.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fileEntry } from './contents.ts';
import type { Entry } from './entry.ts';
import { type LockedPackage, nodePackages, ROOT } from './lockfile.ts';
import { PLATFORMS, type Platform } from './platforms.ts';
import { entriesOfTar } from './tar.ts';

/** Fetched packages stay here for the next time. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'node-packages');

/** The package for Windows has no licence in it. */
const LICENSE_FROM: Platform = 'linux-x64';

/** The program and its licence, as entries of an archive. */
export function nodeRuntime(platform: Platform): readonly Entry[] {
  const { isWindows } = PLATFORMS[platform];
  const program = isWindows ? 'node.exe' : 'node';
  const find = filesOf(platform);
  const license = (isWindows ? filesOf(LICENSE_FROM) : find)('LICENSE');
  return [
    { name: `runtime/${program}`, content: find(`bin/${program}`), isProgram: true },
    { name: 'runtime/LICENSE', content: license, isProgram: false },
  ];
}

type Find = (name: string) => Buffer;

function filesOf(platform: Platform): Find {
  const { nodePackage } = PLATFORMS[platform];
  const locked = nodePackages().find(({ name }) => name === nodePackage);
  if (!locked) throw new Error(`The lockfile does not name ${nodePackage}.`);
  return existsSync(join(ROOT, locked.path, 'package.json')) ? installed(locked) : fetched(locked);
}

function installed({ path }: LockedPackage): Find {
  return (name) => fileEntry(name, join(ROOT, path, name)).content;
}

function fetched(locked: LockedPackage): Find {
  const entries = entriesOfTar(gunzipSync(readFileSync(packedFile(locked))));
  return (name) => {
    const found = entries.find((entry) => entry.name === `package/${name}`);
    if (!found) throw new Error(`The package ${locked.name} has no file ${name}.`);
    return found.content;
  };
}

function packedFile({ name, version, integrity }: LockedPackage): string {
  const folder = join(CACHE, `${name}-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', folder, '--silent'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  }
  const file = join(folder, readdirSync(folder)[0]!);
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${file} is not what the lockfile names: delete its folder, and try again.`);
  return file;
}
