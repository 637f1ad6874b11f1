// What the change log keeps of an edit.
import { addressOf } from '../shape/resource.ts';
import type { TouchedEntity } from '../store/revisions/changes.ts';
import type { Edit } from './edit.ts';

export function logRow({ kind, key, operation, before, after }: Edit): TouchedEntity {
  const { value, created } = (after ?? before)!;
  return {
    kind: kind.name,
    key,
    id: addressOf(kind, value),
    operation,
    created,
    before: before ? JSON.stringify(before.value) : null,
    after: after ? { value: JSON.stringify(after.value), etag: after.etag } : null,
  };
}
