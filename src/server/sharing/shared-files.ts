// Small files of the data directory that all servers on one database need alike: each change of one of them is brought to the others.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASSWORD_FILE } from '../../access/first-password-file.ts';
import { IMPORTED_KEYS_FILE } from '../../document/upgrade/imported-keys.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import type { Job } from '../../kit/concurrency/periodic/job.ts';
import type { CachedTables } from '../../store/cached-tables.ts';
import type { Database } from '../../store/database.ts';

interface Parts {
  readonly dataDir: string;
  readonly database: Database;
  readonly cachedTables: CachedTables;
  readonly cipher: Cipher;
  readonly runner: { add(job: Job): unknown };
  /** They are in the data directory as others have left them. */
  onChanged(): void;
}

const SHARED = [PASSWORD_FILE, IMPORTED_KEYS_FILE];
/** Digests of the agreed contents: they show whether a file was changed here or elsewhere while this server did not run. */
const NOTE = 'shared-files.json';
const OWNER_ONLY = 0o600;
const LOOK_EVERY_MS = 2000;

export class SharedFiles {
  readonly #parts: Parts;
  /** The contents on which this server and the database agree, by file name. */
  readonly #agreed = new Map<string, string>();

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A file in the database wins over the one in the directory, unless only the latter was changed since this server ran last. */
  static async open(parts: Parts): Promise<SharedFiles> {
    const files = new SharedFiles(parts);
    await files.#readShared(files.#noted());
    await files.publish();
    parts.cachedTables.add('shared_files', () => files.#readShared());
    parts.runner.add({
      name: 'files that servers share',
      when: { every: LOOK_EVERY_MS },
      where: 'everywhere',
      runsWhilePaused: true,
      run: () => files.publish(),
    });
    return files;
  }

  /** Brings files that were changed here to the other servers; returns when they are in the database. */
  async publish(): Promise<void> {
    const { database, cipher } = this.#parts;
    for (const name of SHARED) {
      const content = this.#read(name);
      if (content === undefined || content === this.#agreed.get(name)) continue;
      const row = { name, content: cipher.encrypt(content) };
      const put = database.query.insertInto('shared_files').values(row);
      await database.writeTransaction([
        put.onConflict((conflict) => conflict.column('name').doUpdateSet({ content: row.content })).compile(),
      ]);
      this.#agreed.set(name, content);
      this.#note();
    }
  }

  async #readShared(noted: Readonly<Record<string, string>> = {}): Promise<void> {
    const { database, cipher, onChanged } = this.#parts;
    for (const { name, content: sealed } of await database.query.selectFrom('shared_files').selectAll().execute()) {
      const content = SHARED.includes(name) ? cipher.decrypt(sealed) : undefined;
      if (content === undefined) continue;
      this.#agreed.set(name, content);
      const isChangedOnlyHere = this.#read(name) !== undefined && noted[name] === digestOf(content);
      if (content !== this.#read(name) && !isChangedOnlyHere) writeFileDurably(this.#path(name), content, OWNER_ONLY);
    }
    this.#note();
    onChanged();
  }

  #note(): void {
    const digests = Object.fromEntries([...this.#agreed].map(([name, content]) => [name, digestOf(content)]));
    writeFileDurably(this.#path(NOTE), JSON.stringify(digests), OWNER_ONLY);
  }

  #noted(): Readonly<Record<string, string>> {
    return JSON.parse(this.#read(NOTE) ?? '{}') as Readonly<Record<string, string>>;
  }

  #read(name: string): string | undefined {
    return existsSync(this.#path(name)) ? readFileSync(this.#path(name), 'utf8') : undefined;
  }

  #path(name: string): string {
    return join(this.#parts.dataDir, name);
  }
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
