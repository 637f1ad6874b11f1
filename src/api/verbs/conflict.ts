// Tells whoever wrote on an older version what has happened since. Only a write that is refused pays for it.
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { shownEtag } from '../../config/shown.ts';
import { type Base, findBase } from '../../history/conflict/base.ts';
import { explain } from '../../history/conflict/explain.ts';
import { namesEtag } from '../../shape/etag.ts';
import { type Entity, type Kind, keyOf } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { ApiRequest } from '../route.ts';
import { StaleWrite } from './precondition.ts';

export interface Target {
  readonly kind: Kind;
  readonly id: string;
  readonly parts: Pick<ResourceParts, 'config' | 'changes' | 'changeLog'>;
  readonly request: Pick<ApiRequest, 'author' | 'header'>;
  /** The entity as a draft has it; refused when it is not there. */
  find(draft: Draft): Entry;
}

export interface Conflict {
  readonly now: Entry;
  readonly base: Base;
}

export async function conflictOf({ kind, id, parts, request, find }: Target): Promise<Conflict> {
  // Behind all that was accepted before: what came in between may not be on disk yet.
  const now = await parts.changes.apply(request.author, find, { dryRun: true });
  const { seen } = new Draft(parts.config);
  const ifMatch = request.header('if-match') ?? '';
  const base = await findBase(parts.changeLog, kind, keyOf(kind, id), (version) => {
    if (namesEtag(ifMatch, version.etag)) return true;
    return kind.shows !== undefined && namesEtag(ifMatch, shownEtag(kind, { ...now, ...version }, seen));
  });
  return { now, base };
}

/** Who sent no If-Match at all is told only that. */
export function isExplainable(failure: unknown, request: Target['request']): failure is StaleWrite {
  return failure instanceof StaleWrite && request.header('if-match') !== undefined;
}

export function explained({ kind, id }: Target, { now, base }: Conflict, yours: Entity | undefined): StaleWrite {
  return new StaleWrite(kind, id, explain({ kind, base, yours, now: now.value }));
}

/** Runs a write, and explains why it was refused as stale. */
export async function explaining<T>(target: Target, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (failure) {
    if (!isExplainable(failure, target.request)) throw failure;
    throw explained(target, await conflictOf(target), undefined);
  }
}
