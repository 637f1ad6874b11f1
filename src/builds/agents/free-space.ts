// The free space of agents: it changes all the time, so it is kept in memory and written now and then.
import type { Database } from '../../store/database.ts';

export class FreeSpace {
  readonly #database: Pick<Database, 'query' | 'writeRelaxed'>;
  readonly #bytes = new Map<string, number | null>();
  readonly #unwritten = new Set<string>();

  constructor(database: Pick<Database, 'query' | 'writeRelaxed'>) {
    this.#database = database;
  }

  /** Bytes; null: not known. */
  of(uuid: string): number | null {
    return this.#bytes.get(uuid) ?? null;
  }

  /** Sets the value from the table. */
  load(uuid: string, bytes: number | null): void {
    this.#bytes.set(uuid, bytes);
  }

  note(uuid: string, bytes: number | null): void {
    if (this.#bytes.get(uuid) === bytes) return;
    this.#bytes.set(uuid, bytes);
    this.#unwritten.add(uuid);
  }

  forget(uuid: string): void {
    this.#bytes.delete(uuid);
    this.#unwritten.delete(uuid);
  }

  clear(): void {
    this.#bytes.clear();
    this.#unwritten.clear();
  }

  /** After a power cut it may be older: each agent reports it again. */
  async write(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const statements = [...this.#unwritten].map((uuid) =>
      this.#database.query
        .updateTable('agents')
        .set({ free_space: this.of(uuid) })
        .where('uuid', '=', uuid)
        .compile(),
    );
    this.#unwritten.clear();
    await this.#database.writeRelaxed(statements);
  }
}
