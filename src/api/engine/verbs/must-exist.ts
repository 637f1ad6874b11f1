// Refuses requests for an entity that does not exist.
import type { Entry } from '../../../config/entry.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Entity, Kind } from '../../../shape/resource.ts';

export function mustExist<E extends Entity>(kind: Kind, id: string, entry: Entry<E> | undefined): Entry<E> {
  if (!entry) throw new Refusal('notFound', kind.messages.notFound(id));
  return entry;
}
