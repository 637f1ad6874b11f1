// Reads the repository of a history beside its writer, and lists the files that a copy of it needs.
import { existsSync, readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { BRANCH, makeBareRepository, readBranch } from './bare-repository.ts';
import { damageIn } from './damaged-packs.ts';
import type { Chunks } from './objects.ts';
import { filesToCopy, packDirectory } from './pack-files.ts';
import { readBlob, readObject } from './read-object.ts';

export interface OpenPackFile {
  /** Its path in the repository. */
  readonly name: string;
  readonly handle: FileHandle;
}

const MAX_ATTEMPTS = 10;
const LOOSE_OBJECTS = /^[0-9a-f]{2}$/;

export class HistoryReader {
  /** The file that names the last commit. */
  static readonly branchFile = BRANCH;
  /** Files that git takes settings from; they are made anew by `restore`, never copied back. */
  static readonly settingsFiles: readonly string[] = ['HEAD', 'config'];
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  get exists(): boolean {
    return existsSync(packDirectory(this.directory));
  }

  /** undefined: there is none yet. */
  get lastCommit(): string | undefined {
    return readBranch(this.directory);
  }

  async has(id: string): Promise<boolean> {
    return (await readObject(this.directory, id)) !== undefined;
  }

  /** The content of a blob in pieces; undefined: there is none of this id. */
  readBlob(id: string): Promise<Chunks | undefined> {
    return readBlob(this.directory, id);
  }

  /** The problems, as messages. Reads all packs, and removes broken ones that are not needed. */
  findDamage(): string[] {
    return damageIn(this.directory);
  }

  /** Makes the files around packs and branch that were copied to this directory. */
  restore(): void {
    makeBareRepository(this.directory);
  }

  /** The settings and all refs but the branch, those that exist. */
  settingsAndRefs(): string[] {
    const settings = [...HistoryReader.settingsFiles, 'packed-refs'].filter((name) => existsSync(join(this.directory, name)));
    return [...settings, ...this.#filesBelow('refs').filter((name) => name !== BRANCH)];
  }

  /** All at once: an open file stays readable, also when a larger pack replaces it meanwhile. */
  async openPacks(): Promise<OpenPackFile[]> {
    for (let attempt = 1; ; attempt++) {
      const opened: OpenPackFile[] = [];
      try {
        for (const name of filesToCopy(this.directory)) {
          opened.push({ name: `objects/pack/${name}`, handle: await open(join(packDirectory(this.directory), name)) });
        }
        return opened;
      } catch (failure) {
        await Promise.all(opened.map(({ handle }) => handle.close()));
        if ((failure as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw failure;
      }
    }
  }

  /** Objects outside of packs, which only other programs make. */
  looseObjects(): string[] {
    const folders = readdirSync(join(this.directory, 'objects')).filter((name) => LOOSE_OBJECTS.test(name));
    return folders.flatMap((folder) => this.#filesBelow(`objects/${folder}`));
  }

  #filesBelow(folder: string): string[] {
    return readdirSync(join(this.directory, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(this.directory.length + 1)
          .replaceAll('\\', '/'),
      );
  }
}
