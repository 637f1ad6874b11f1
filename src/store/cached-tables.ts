// Tables that are kept in memory, and how each is read anew when another server has written to it.
import type { TableName } from './remote-writes.ts';

export class CachedTables {
  readonly #reloads: { readonly table: TableName; readonly reload: () => Promise<void> }[] = [];

  add(table: TableName, reload: () => Promise<void>): void {
    this.#reloads.push({ table, reload });
  }

  async reload(touched: ReadonlySet<TableName>): Promise<void> {
    for (const { table, reload } of this.#reloads) if (touched.has(table)) await reload();
  }

  async reloadAll(): Promise<void> {
    for (const { reload } of this.#reloads) await reload();
  }
}
