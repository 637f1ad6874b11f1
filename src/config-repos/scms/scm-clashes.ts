// SCMs of one name with different settings: neither is taken for the other, and both are named.
import type { Draft } from '../../config/draft.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import type { Kind } from '../../shape/resource.ts';
import { OWN_SOURCE, sourceLabel } from '../publish/source-label.ts';
import type { Declaration, DeclaredScmsById } from './declared-scms.ts';
import { declaredName, declarersOf } from './scm-declarers.ts';

export interface ScmClash {
  readonly text: string;
  /** Where it is declared under that name. */
  readonly at: Declaration;
}

export interface ScmClashes {
  /** The clashes by the id of the SCM. */
  readonly all: ReadonlyMap<string, ScmClash>;
  /** The messages of the SCM checks about the same clashes, without the sources. */
  readonly ruleMessages: ReadonlySet<string>;
}

/** The clashes between declared SCMs and all SCMs. Of two SCMs that are both declared here, the second is reported. */
export function scmClashes(draft: Draft, declared: DeclaredScmsById): ScmClashes {
  const kind = draft.kind('scms');
  const all = new Map<string, ScmClash>();
  const ruleMessages = new Set<string>();
  const later = new Set(declared.keys());
  for (const [id, declarations] of declared) {
    later.delete(id);
    for (const at of declarations) {
      const { name } = at.scm;
      const other = draft.claimants(kind, name.toLowerCase()).find((claimant) => claimant.id !== id && !later.has(claimant.id));
      if (!other) continue;
      const both = [draft.find(kind, other.id)!.value, draft.find(kind, id)!.value];
      // A missing name is reported anyway.
      if (name.trim() !== '') all.getOrInsert(id, { text: clashText(name, both, draft), at });
      for (const { taken } of both.flatMap((one) => claimsOf(kind, one))) ruleMessages.add(taken);
    }
  }
  return { all, ruleMessages };
}

function claimsOf(kind: Kind, scm: EntityNamed<'scms'>): readonly { readonly to: string; readonly taken: string }[] {
  return kind.claims?.(scm) ?? [];
}

function clashText(name: string, both: readonly EntityNamed<'scms'>[], draft: Draft): string {
  const sources = both.map((scm) => whereDeclared(scm, name, draft));
  return `Cannot save SCM, found multiple SCMs called '${name}'. SCM names are case-insensitive and must be unique. Source(s): [${sources.join(', ')}]`;
}

function whereDeclared(scm: EntityNamed<'scms'>, name: string, draft: Draft): string {
  const owner = repoOriginOf(scm);
  if (!owner) return OWN_SOURCE;
  const { id } = scm;
  const declarers = declarersOf(draft, id);
  const isOwners = ({ origin }: { readonly origin: { readonly repo: string; readonly file: string } }) =>
    origin.repo === owner.repo && origin.file === owner.file;
  const callers = declarers.filter((declarer) => declaredName(declarer, id)?.toLowerCase() === name.toLowerCase());
  const { pipeline, origin } = callers.find(isOwners) ?? callers[0] ?? declarers.find(isOwners) ?? { pipeline: undefined, origin: owner };
  return `${origin.file}${pipeline ? ` (pipeline ${pipeline})` : ''} in ${sourceLabel(draft, origin.repo)}`;
}
