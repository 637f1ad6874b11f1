// An SCM that several declare belongs to one of them. When that one does so no longer, it belongs to another, and stays what it is.
import type { Draft } from '../config/draft.ts';
import { remoteOrigin } from '../config/remote.ts';
import { type Entity, idOf, type Kind } from '../shape/resource.ts';

/** Whoever is of the same repo comes first. false: nobody else declares it, and nothing has changed. */
export function handOver(draft: Draft, kind: Kind, scm: Entity): boolean {
  const id = idOf(kind, scm);
  const origins = draft.referrers(kind.name, id).flatMap((user) => {
    const entity = draft.find(draft.kindNamed(user.kind)!, user.id)?.value;
    return (entity && remoteOrigin(entity)) ?? [];
  });
  const heir = origins.find(({ repo }) => repo === remoteOrigin(scm)?.repo) ?? origins[0];
  if (heir) draft.put(kind, id, { ...scm, origin: { repo: heir.repo, file: heir.file } });
  return heir !== undefined;
}
