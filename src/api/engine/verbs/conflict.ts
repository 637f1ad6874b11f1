// Reports to the client of a stale write the changes since its version. Only a refused write has this cost.
import { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { type Base, findBase } from '../../../history/conflict/base.ts';
import { explain } from '../../../history/conflict/explain.ts';
import { findShownBase } from '../../../history/conflict/shown-base.ts';
import { namesEtag } from '../../../shape/json/etag.ts';
import { type Entity, type Kind, keyOf, type RuleView } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { ApiRequest } from '../route.ts';
import { StaleWrite } from './precondition.ts';

export interface Target<Now extends Entry | undefined = Entry> {
  readonly kind: Kind;
  readonly id: string;
  /** The kind that speaks of it, where it does not do so itself. */
  readonly reportedAs?: Kind;
  /** The default entity before anything was set, where its kind does not declare one. */
  readonly unset?: Entity;
  readonly parts: Pick<ResourceParts, 'config' | 'changes' | 'changeLog'>;
  readonly request: Pick<ApiRequest, 'author' | 'header'>;
  /** The entity as a draft has it; it may refuse when there is none. */
  find(draft: Draft): Now;
}

export interface Conflict<Now extends Entry | undefined = Entry> {
  readonly now: Now;
  readonly base: Base;
  /** The present view of the other entities. */
  readonly ruleView: RuleView;
}

export async function conflictOf<Now extends Entry | undefined>(target: Target<Now>): Promise<Conflict<Now>> {
  const { parts, request } = target;
  // Queued behind all accepted changes: those made in between may not be on disk yet.
  const now = await parts.changes.apply(request.author, (draft) => target.find(draft), { dryRun: true });
  return { now, base: await baseOf(target), ruleView: new Draft(parts.config).ruleView };
}

/** The version that If-Match names, and the changes since. */
export function baseOf({ kind, id, unset, parts, request }: Omit<Target, 'find'>): Promise<Base> {
  const ifMatch = request.header('if-match') ?? '';
  const isNamed = (etag: string) => namesEtag(ifMatch, etag);
  if (kind.shows?.isPartOfEtag) return findShownBase(parts.changeLog, parts.config, kind, id, isNamed);
  return findBase(parts.changeLog, kind, keyOf(kind, id), ({ etag }) => isNamed(etag), unset);
}

/** A request without If-Match names no version whose changes could be explained. */
export function isExplainable(failure: unknown, request: Target['request']): failure is StaleWrite {
  return failure instanceof StaleWrite && request.header('if-match') !== undefined;
}

export async function staleWriteOf(
  { kind, id, reportedAs = kind }: Omit<Target, 'find'>,
  { now, base, ruleView }: Conflict<Entry | undefined>,
  yours: Entity | undefined,
): Promise<StaleWrite> {
  return new StaleWrite(reportedAs, id, await explain({ kind, base, yours, now: now?.value, ruleView }));
}

/** The entity that a write would have saved, made from the version it was based on; undefined: none, or it cannot be determined. */
export type Yours = (base: Entity | undefined, ruleView: RuleView) => Entity | undefined;

/** Where the base is not known, the current version stands for it. */
export function yoursIn({ base, now, ruleView }: Conflict<Entry | undefined>, yours: Yours): Entity | undefined {
  return yours(base.value ?? now?.value, base.ruleView ?? ruleView);
}

/** Runs a write, and explains why it was refused as stale. */
export async function explaining<T>(
  target: Target<Entry | undefined>,
  write: () => Promise<T>,
  yours: Yours = () => undefined,
): Promise<T> {
  try {
    return await write();
  } catch (failure) {
    if (!isExplainable(failure, target.request)) throw failure;
    const conflict = await conflictOf(target);
    throw await staleWriteOf(target, conflict, yoursIn(conflict, yours));
  }
}
