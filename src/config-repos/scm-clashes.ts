// SCMs of one name with different settings: neither is taken for the other, and both are named.
import type { Draft } from '../config/draft.ts';
import { remoteOrigin } from '../config/remote.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import type { Declaration } from './declared-scms.ts';
import { OWN_SOURCE, sourceIn } from './source.ts';

export interface ScmClashes {
  /** By the id of the SCM: what is to be told of it. */
  readonly texts: ReadonlyMap<string, string>;
  /** What the rules of SCMs say of the same, without the sources. */
  readonly saidByRules: ReadonlySet<string>;
}

/** Of two that are both declared here the second is told of. */
export function scmClashes(draft: Draft, declared: ReadonlyMap<string, Declaration>): ScmClashes {
  const kind = draft.kindNamed('scms')!;
  const texts = new Map<string, string>();
  const saidByRules = new Set<string>();
  const later = new Set(declared.keys());
  for (const id of declared.keys()) {
    later.delete(id);
    const scm = draft.find(kind, id)!.value;
    const claimants = claimsOf(kind, scm).flatMap(({ to }) => draft.claimants(kind, to));
    const other = claimants.find((claimant) => claimant.id !== id && !later.has(claimant.id));
    if (!other) continue;
    const both = [draft.find(kind, other.id)!.value, scm];
    // That it has no name at all is told anyway.
    if (String(scm.name).trim() !== '') texts.set(id, clashText(String(scm.name), both, draft));
    for (const { taken } of both.flatMap((one) => claimsOf(kind, one))) saidByRules.add(taken);
  }
  return { texts, saidByRules };
}

function claimsOf(kind: Kind, scm: Entity): readonly { readonly to: string; readonly taken: string }[] {
  return kind.claims?.(scm as never) ?? [];
}

function clashText(name: string, both: readonly Entity[], draft: Draft): string {
  const sources = both.map((scm) => whereDeclared(scm, draft));
  return `Cannot save SCM, found multiple SCMs called '${name}'. SCM names are case-insensitive and must be unique. Source(s): [${sources.join(', ')}]`;
}

function whereDeclared(scm: Entity, draft: Draft): string {
  const origin = remoteOrigin(scm);
  if (!origin) return OWN_SOURCE;
  const isThere = (user: Entity) => remoteOrigin(user)?.repo === origin.repo && remoteOrigin(user)?.file === origin.file;
  const users = draft.referrers('scms', String(scm.id)).map(({ kind, id }) => draft.find(draft.kindNamed(kind)!, id)!.value);
  const user = users.find(isThere);
  return `${origin.file}${user ? ` (pipeline ${String(user.name)})` : ''} in ${sourceIn(draft, origin.repo)}`;
}
