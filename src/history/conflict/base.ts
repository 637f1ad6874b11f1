// Finds, in the change log, the version that a client started from, and the changes of the entity since.
import { etagOf } from '../../shape/json/etag.ts';
import type { Entity, Kind, RuleView } from '../../shape/resource.ts';
import { isCompacted } from '../../store/revisions/compaction.ts';
import type { EntityChange, RevisionLog } from '../../store/revisions/revision-log.ts';
import { changesBefore } from '../entity-changes.ts';
import { completed } from '../stored-value.ts';

export type ChangeOfEntity = Pick<EntityChange, 'revision' | 'time' | 'actor' | 'reason' | 'operation'>;

export interface Base {
  /** Undefined: that version is unknown. */
  readonly value: Entity | undefined;
  /** 0: before anything was set. */
  readonly revision: number | undefined;
  /** The changes since, newest first; only the last one when the base is not known. */
  readonly since: readonly ChangeOfEntity[];
  /** Where its ETag covers fields of other entities: those entities, as they were. */
  readonly ruleView?: RuleView;
}

interface Version {
  readonly value: Entity;
  readonly etag: string;
}

/** A client that started from an older version gets the conflict without it. */
const MAX_CHANGES = 1000;

/** The value of an entity before anything was set; undefined: it has none. */
function unsetOf(kind: Kind): Entity | undefined {
  return kind.shape === 'singleton' ? (kind.unset ?? {}) : undefined;
}

export async function findBase(
  log: Pick<RevisionLog, 'changesOf'>,
  kind: Kind,
  key: string,
  isBase: (version: Version) => boolean,
  unset = unsetOf(kind),
): Promise<Base> {
  const since: ChangeOfEntity[] = [];
  for await (const change of changesBefore(log, kind, key, Number.MAX_SAFE_INTEGER)) {
    const { after, revision, time, actor, reason, operation } = change;
    if (isCompacted(change)) return { value: undefined, revision: undefined, since: since.slice(0, 1) };
    if (after !== null) {
      const stored = JSON.parse(after) as Entity;
      if (isBase({ value: stored, etag: etagOf(stored) })) return { value: completed(kind, stored), revision, since };
    }
    since.push({ revision, time, actor, reason, operation });
    if (since.length === MAX_CHANGES) break;
  }
  if (unset && isBase({ value: unset, etag: etagOf(unset) })) return { value: unset, revision: 0, since };
  return { value: undefined, revision: undefined, since: since.slice(0, 1) };
}
