// The row of the change log for an edit.
import { addressOf, type Entity, type Kind } from '../shape/resource.ts';
import type { TouchedEntity } from '../store/revisions/changes.ts';
import type { Edit } from './edit.ts';

/** Makes the function that writes edits of these kinds as rows of the log. */
export function logRowsOf(kinds: Iterable<Kind>): (edit: Edit) => TouchedEntity {
  const ownerFields = new Map([...kinds].flatMap(({ shows }) => (shows?.members ? [[shows.members.kind, shows.members.field]] : [])));
  return ({ kind, key, operation, before, after, json }) => {
    const { value, created } = (after ?? before)!;
    const id = addressOf(kind, value);
    const ownerField = ownerFields.get(kind.name);
    return {
      kind: kind.name,
      key,
      id,
      operation,
      created,
      owner: ownerOf(after?.value, ownerField),
      formerOwner: ownerOf(before?.value, ownerField),
      label: kind.shape === 'collection' && kind.addressedBy ? id : null,
      before: before ? JSON.stringify(before.value) : null,
      after: after ? { value: json ?? JSON.stringify(after.value), etag: after.etag } : null,
    };
  };
}

function ownerOf(value: Entity | undefined, field: string | undefined): string | null {
  return value && field !== undefined ? String(value[field]).toLowerCase() : null;
}
