// Helpers for tests of reading files: all of a read as texts, and which programs were run.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PollContext, PolledMaterial } from '../../../src/materials/clients/client.ts';
import type { FileChanges, RepoFile, RevisionFiles } from '../../../src/materials/files/contract.ts';
import { openFiles } from '../../../src/materials/files/open-files.ts';
import { findProgram } from '../../support/services/debian.ts';

/** Chooses paths as the pattern `**\/*.yaml` does. */
export const yamlFiles = (paths: readonly string[]): string[] => paths.filter((path) => path.endsWith('.yaml'));

export interface ReadChanges extends FileChanges {
  /** The texts of files by path; a file that cannot be read as `! why`. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Opens a revision, and reads all that has changed. */
export async function readChanges(material: PolledMaterial, revision: string, context: PollContext, since?: string): Promise<ReadChanges> {
  return readOpened(await openFiles(material, revision, context), since);
}

/** Closes it, too. */
export async function readOpened(files: RevisionFiles, since?: string): Promise<ReadChanges> {
  try {
    const changes = await files.changes(since, yamlFiles);
    return { ...changes, texts: await textsOf(files, changes.changed) };
  } finally {
    await files.close();
  }
}

export async function textsOf(files: RevisionFiles, wanted: readonly RepoFile[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const one of files.read(wanted))
    texts[one.path] = 'bytes' in one ? Buffer.from(one.bytes).toString('utf8') : `! ${one.message}`;
  return Object.fromEntries(Object.entries(texts).toSorted());
}

export const pathsOf = (files: readonly { readonly path: string }[]): string[] => files.map(({ path }) => path).toSorted();
export const idsOf = ({ changed }: FileChanges): Record<string, string> => Object.fromEntries(changed.map(({ path, id }) => [path, id]));

/** Stands before a program on the PATH and writes down how it is called. */
export class Counted {
  readonly #log: string;
  readonly #before = process.env.PATH;

  private constructor(folder: string) {
    this.#log = join(folder, 'calls');
    process.env.PATH = [folder, this.#before].join(delimiter);
  }

  static async install(name: string, folder: string): Promise<Counted> {
    const real = await findProgram(name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${join(folder, 'calls')}'\nexec '${real}' "$@"\n`);
    chmodSync(join(folder, name), 0o755);
    return new Counted(folder);
  }

  /** Only those since the last time. */
  take(): string[] {
    const lines = existsSync(this.#log) ? readFileSync(this.#log, 'utf8').trim().split('\n') : [];
    rmSync(this.#log, { force: true });
    return lines;
  }

  restore(): void {
    process.env.PATH = this.#before;
  }
}
