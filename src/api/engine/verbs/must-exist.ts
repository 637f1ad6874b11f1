// Refuses requests for an entity that does not exist.
import type { Entry } from '../../../config/entry.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Kind } from '../../../shape/resource.ts';

export function mustExist(kind: Kind, id: string, entry: Entry | undefined): Entry {
  if (!entry) throw new Refusal('notFound', kind.messages.notFound(id));
  return entry;
}
