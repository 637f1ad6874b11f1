// The columns of the tables of a PostgreSQL database, as it says itself.
import type { Connection } from './connection.ts';

export interface Column {
  readonly name: string;
  /** In its words: text, bigint … */
  readonly type: string;
  /** The database generates its values, unless they are given. */
  readonly isIdentity: boolean;
}

/** By the names of the tables, in the order in which they were made. */
export async function columnsByTable(connection: Connection): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await connection.runOnce(
    `select table_name as table, column_name as name, data_type as type, is_identity = 'YES' as "isIdentity"
     from information_schema.columns where table_schema = current_schema() order by table_name, ordinal_position`,
  );
  return Map.groupBy(rows as readonly (Column & { readonly table: string })[], ({ table }) => table);
}
