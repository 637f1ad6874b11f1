// The options of a route for the entity that a request asks to create.
import type { CompiledQuery } from 'kysely';
import type { JsonObject } from '../../../shape/json/json.ts';

export interface Creation {
  /** The body of the entity, where the request wraps it in another one. */
  readonly body?: JsonObject;
  /** Statements that are committed together with it. */
  readonly extraStatements?: readonly CompiledQuery[];
}
