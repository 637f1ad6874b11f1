// What a change does, or would do, as JSON: entity by entity, in order.
import type { ChangedByEdit } from '../../history/edits.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Json, JsonObject, JsonSchema } from '../../shape/json.ts';
import { type Kind, resourceName } from '../../shape/resource.ts';
import { objectSchema, TEXT } from '../../shape/schemas.ts';

const ANYTHING: JsonSchema = { description: 'Whatever the field holds; secrets as `(secret)`, passwords in addresses as `******`.' };

export const RESOURCE: JsonSchema = { ...TEXT, description: 'The kind of configuration: the last step of its path.' };
export const ID: JsonSchema = { ...TEXT, description: 'What stands for it in addresses; empty where there is only one.' };

export const CHANGED_SCHEMA: JsonSchema = objectSchema(
  {
    resource: RESOURCE,
    id: ID,
    operation: { enum: ['create', 'update', 'delete'] },
    differences: {
      type: 'array',
      items: objectSchema(
        { path: { ...TEXT, description: 'JSON pointer.' }, operation: { enum: ['add', 'remove', 'replace', 'move'] }, words: TEXT },
        { title: 'Difference in a field', others: { before: ANYTHING, after: ANYTHING } },
      ),
    },
  },
  { title: 'Change of an entity', others: { etag: { ...TEXT, description: 'The ETag it has then; absent when it is gone.' } } },
);

export function changedJson(changes: readonly ChangedByEdit[]): JsonObject[] {
  return changes.map((change) => ({ ...change, differences: change.differences as unknown as Json }));
}

/** The kind that a body names. */
export function kindCalled(kinds: Iterable<Kind>, resource: string, at = 'resource'): Kind {
  const shown = [...kinds].filter((kind) => !kind.isInternal);
  const found = shown.find((kind) => resourceName(kind) === resource);
  if (found) return found;
  const known = shown.map(resourceName).sort().join(', ');
  const message = `There is no resource called '${resource.slice(0, 100)}'. Known are ${known}.`;
  throw new Refusal('invalid', message, { data: { errors: { [at]: [message] } } });
}
