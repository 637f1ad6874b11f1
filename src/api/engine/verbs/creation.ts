// What a route says of the entity that a request asks to create.
import type { CompiledQuery } from 'kysely';
import type { JsonObject } from '../../../shape/json/json.ts';

export interface Creation {
  /** The body of the entity, where the request wraps it in another one. */
  readonly body?: JsonObject;
  /** What reaches the disk together with it. */
  readonly extraStatements?: readonly CompiledQuery[];
}
