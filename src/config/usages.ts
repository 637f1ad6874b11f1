// Who uses an entity, with the groups the users are in.
import type { Draft } from './draft.ts';

/** The members of `by` that refer to the entity. */
export function usagesOf(draft: Draft, kindName: string, id: string, by: string): { readonly id: string; readonly group: string }[] {
  const users = draft.kindNamed(by);
  if (!users) return [];
  return draft
    .referrers(kindName, id)
    .filter((referrer) => referrer.kind === by)
    .map((referrer) => ({ id: referrer.id, group: String(draft.find(users, referrer.id)?.value.group ?? '') }));
}
