// Entities that definitions of config repos require: they stay as long as the definitions do, even if a saved document leaves them out.
import { type Entity, type Kind, keyOf } from '../shape/resource.ts';
import type { Draft } from './draft.ts';
import { repoOriginOf } from './repo-origin.ts';

/** The entity as it is with nothing of its own, if a definition cannot be without it. */
export function requiredByRepos(draft: Draft, kind: Kind, id: string): Entity | undefined {
  const now = draft.find(kind, id);
  if (!now || kind.shape === 'singleton') return undefined;
  for (const { kind: referring, entry } of draft.referring(kind.name, id)) {
    if (referring.shape === 'singleton' || !referring.creates || !repoOriginOf(entry.value)) continue;
    const prerequisite = referring.creates(entry.value).find((one) => one.kind === kind.name && keyOf(kind, one.id) === now.key);
    // It may be written in another letter case there.
    if (prerequisite) return { ...prerequisite.entity, [kind.id]: now.value[kind.id] };
  }
  return undefined;
}
