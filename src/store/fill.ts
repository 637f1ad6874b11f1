// Statements that are compiled once and filled in again and again: compiling takes longer than running them.
import type { CompiledQuery } from 'kysely';

/** `parameters` in the order in which the statement names them. */
export function fill(template: CompiledQuery, parameters: readonly unknown[]): CompiledQuery {
  return { ...template, parameters };
}
