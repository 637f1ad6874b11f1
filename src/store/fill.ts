// Statements that are compiled once and filled in again and again: compiling takes longer than running them.
import type { CompiledQuery } from 'kysely';

/** `parameters` in the order in which the statement names them. */
export function fill<Row>(template: CompiledQuery<Row>, parameters: readonly unknown[]): CompiledQuery<Row> {
  return { ...template, parameters };
}
