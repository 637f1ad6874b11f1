// The facts that an agent reports about itself and its machine.
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { release, type } from 'node:os';
import { join } from 'node:path';
import { INSTALLATION } from '../../kit/process/own-program.ts';

/** Bytes; null where the system does not report it. */
export async function freeSpaceOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null; // the folder has vanished, or its disk
  }
}

export function operatingSystem(): string {
  return `${type()} ${release()}`;
}

export function agentVersion(): string {
  const { version } = JSON.parse(readFileSync(join(INSTALLATION, 'package.json'), 'utf8')) as { readonly version: string };
  return version;
}
