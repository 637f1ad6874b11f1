// The effect of a change, or of a dry run, as JSON: entity by entity, in order.
import type { ChangedByEdit } from '../../../history/edits.ts';
import type { JsonObject, JsonSchema } from '../../../shape/json/json.ts';
import { objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { FIELD_DIFFERENCE } from '../../engine/conflict-schema.ts';

export const RESOURCE: JsonSchema = { ...TEXT, description: 'The kind of configuration: the last part of its path.' };
export const ID: JsonSchema = { ...TEXT, description: 'What stands for it in addresses; empty where there is only one.' };

export const CHANGED_SCHEMA: JsonSchema = objectSchema(
  {
    resource: RESOURCE,
    id: ID,
    operation: { enum: ['create', 'update', 'delete'], description: 'What is done to it.' },
    differences: { type: 'array', items: FIELD_DIFFERENCE, description: 'Field by field.' },
  },
  { title: 'Change of an entity', others: { etag: { ...TEXT, description: 'The ETag it has then; absent when it is gone.' } } },
);

export function changedJson(changes: readonly ChangedByEdit[]): JsonObject[] {
  return changes.map((change) => ({ ...change, differences: change.differences.map((one) => ({ ...one })) }));
}
