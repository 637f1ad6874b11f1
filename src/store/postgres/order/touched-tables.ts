// The tables that statements write to.
import { type CompiledQuery, DeleteQueryNode, InsertQueryNode, type OperationNode, TableNode, UpdateQueryNode } from 'kysely';

/** With spaces between; those of statements written as text are not known. */
export function touchedTables(statements: readonly CompiledQuery[]): string {
  const names = new Set<string>();
  for (const { query } of statements) {
    const table = targetOf(query);
    if (table && TableNode.is(table)) names.add(table.table.identifier.name);
  }
  return [...names].join(' ');
}

function targetOf(query: OperationNode): OperationNode | undefined {
  if (InsertQueryNode.is(query)) return query.into;
  if (UpdateQueryNode.is(query)) return query.table;
  if (DeleteQueryNode.is(query)) return query.from.froms[0];
  return undefined;
}
