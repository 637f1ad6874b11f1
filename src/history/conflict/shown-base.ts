// Finds the version that a client started from where its ETag covers fields of other entities: their changes count as well.
import { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { presentedEtag } from '../../config/presentation.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { etagOf } from '../../shape/json/etag.ts';
import { type Entity, type Kind, keyOf, type RuleView } from '../../shape/resource.ts';
import { isCompacted } from '../../store/revisions/compaction.ts';
import type { RevisionLog } from '../../store/revisions/revision-log.ts';
import type { ShowingEntity, ShownChanges } from '../../store/revisions/shown-changes.ts';
import type { ChangeRow } from '../../store/rows/configuration.ts';
import { completed } from '../stored-value.ts';
import type { Base, ChangeOfEntity } from './base.ts';

export interface ShownLog extends Pick<RevisionLog, 'find'> {
  readonly shown: Pick<ShownChanges, 'revisions' | 'in'>;
}

/** A client that started from an older version gets the conflict without it. */
const MAX_REVISIONS = 1000;
/** Maximum number of shown entities that are read for all revisions together. */
const MAX_READ_ENTITIES = 200_000;

type Row = Readonly<ChangeRow>;

/** An entity with the entities that it shows, taken back revision by revision. */
class PastEntity {
  readonly config: Config;
  readonly #kind: Kind;
  readonly #key: string;
  readonly ruleView: RuleView;

  constructor(now: Config, kind: Kind, id: string) {
    this.config = new Config([...now.kinds.values()]);
    this.#kind = kind;
    this.#key = keyOf(kind, id);
    this.ruleView = new Draft(this.config).ruleView;
    const entry = now.of(kind.name).find(id);
    if (entry) this.config.replace(kind, entry.key, entry);
    for (const member of new Draft(now).referring(kind.name, id)) {
      if (kind.shows!.kinds.includes(member.kind.name)) this.config.replace(member.kind, member.entry.key, member.entry);
    }
  }

  get entry(): Entry | undefined {
    return this.config.of(this.#kind.name).find(this.#key);
  }

  /** Undefined: it is not there. */
  get etag(): string | undefined {
    return this.entry && presentedEtag(this.#kind, this.entry, this.ruleView);
  }

  /** The number of entities that are read to compute the etag. */
  get size(): number {
    return 1 + this.#kind.shows!.kinds.reduce((sum, name) => sum + this.config.of(name).size, 0);
  }

  /** Brings it to its state on one side of these changes. */
  go(side: 'before' | 'after', rows: readonly Row[]): void {
    for (const row of rows) {
      const kind = this.config.kinds.get(row.kind)!;
      this.config.replace(kind, row.key, entryOf(kind, row, row[side]));
    }
  }
}

export async function findShownBase(
  log: ShownLog,
  config: Config,
  kind: Kind,
  id: string,
  isBase: (etag: string) => boolean,
): Promise<Base> {
  const showing: ShowingEntity = { kind: kind.name, key: keyOf(kind, id), members: kind.shows!.members! };
  const end = config.revision + 1;
  const showed = new PastEntity(config, kind, id);
  const since: ChangeOfEntity[] = [];
  let readCount = 0;
  const revisions = await log.shown.revisions(showing, end, MAX_REVISIONS);
  for (const [index, revision] of revisions.entries()) {
    const { etag } = showed;
    const rows = await log.shown.in(showing, revision);
    const undone = rows.some(isCompacted) ? [] : rows;
    showed.go('before', undone);
    readCount += showed.size;
    const isChanged = showed.etag !== etag;
    const isEnd = index === revisions.length - 1 || undone.length < rows.length || readCount > MAX_READ_ENTITIES;
    // The tag may be older than this revision, as long as that did not change it.
    if (etag !== undefined && (isChanged || isEnd) && isBase(etag)) {
      showed.go('after', undone);
      return { value: showed.entry!.value, revision, since, ruleView: showed.ruleView };
    }
    if (isChanged) since.push(await factsOf(log, revision, rows, showing));
    if (isEnd) break;
    await pause();
  }
  return { value: undefined, revision: undefined, since: since.slice(0, 1) };
}

/** Of a change that only shows through it is an update of the entity. */
async function factsOf(log: ShownLog, revision: number, rows: readonly Row[], { kind, key }: ShowingEntity): Promise<ChangeOfEntity> {
  const { time, actor, reason } = (await log.find(revision))!;
  const own = rows.find((row) => row.kind === kind && row.key === key);
  return { revision, time, actor, reason, operation: own?.operation ?? 'update' };
}

function entryOf(kind: Kind, { key, created, revision }: Row, value: string | null): Entry | undefined {
  if (value === null) return undefined;
  const stored = JSON.parse(value) as Entity;
  return { key, value: completed(kind, stored), etag: etagOf(stored), revision, created };
}
