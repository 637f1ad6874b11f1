// Reverts a revision, or brings one entity back to an earlier state: as a new change with all checks.
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import type { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { InvalidChange } from '../../config/large-change.ts';
import { nameOf } from '../../config/references.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { Author } from '../../config/revision.ts';
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { KindName } from '../../shape/configuration.ts';
import type { ReadingTools } from '../../shape/json/entity-json.ts';
import { type Entity, idOf, type Kind } from '../../shape/resource.ts';
import { isCompacted } from '../../store/revisions/compaction.ts';
import type { EntityChange, LoggedChange, RevisionLog } from '../../store/revisions/revision-log.ts';
import { entityTitle } from '../difference/entity-difference.ts';
import { changesBefore } from '../entity-changes.ts';
import type { Past } from '../past.ts';
import { notKept } from '../stored-value.ts';
import { foundObstacles } from './found-obstacles.ts';
import { CannotRevert, obstacle, type RevertObstacle } from './obstacle.ts';
import { definedElsewhere, revertChange } from './revert-change.ts';

export interface RevertParts {
  readonly config: Config;
  readonly changes: Changes;
  readonly tools: ReadingTools;
  readonly past: Past;
  readonly log: Pick<RevisionLog, 'changes' | 'changesOf'>;
  readonly keptFrom: () => number;
}

export interface Reversal {
  /** The changes that were made, or would be. */
  readonly draft: Draft;
  readonly leftOut: readonly RevertObstacle[];
}

export interface RevertOptions {
  readonly author: Author;
  readonly dryRun: boolean;
}

/** The entities that one of them defines come and go with it. */
const CONFIG_REPOS = 'configRepos' satisfies KindName;
const CHANGES_AT_ONCE = 200;
/** Older changes than these are not searched for the one that prevents the revert. */
const MAX_LOOKED_AT = 2000;

/** Throws `CannotRevert` with all obstacles. */
export function revertRevision(revision: number, options: RevertOptions, parts: RevertParts): Promise<Reversal> {
  // An entity that is left out is often the obstacle for the others.
  const leftOut: RevertObstacle[] = [];
  const decide = async (draft: Draft, pause: Pause) => {
    const changes = await changesIn(revision, parts);
    const obstacles: RevertObstacle[] = [];
    for (const change of revertOrder(changes)) {
      const kind = draft.kindNamed(change.kind);
      // Of a kind that this version does not have there is nothing any more.
      if (!kind) continue;
      if (isCompacted(change)) throw notKept(revision, parts.keptFrom());
      const since = await changesSince(kind, change, parts);
      const result = await revertChange(draft, kind, change, parts.tools, since);
      if ('obstacle' in result) obstacles.push(obstacle(kind, idIn(kind, change), result.obstacle, result.by));
      if ('leftOut' in result) leftOut.push(obstacle(kind, idIn(kind, change), result.leftOut));
      await pause();
    }
    obstacles.push(...(await belonging(draft, new Set(changes.map(({ kind, key }) => `${kind}\n${key}`)), parts)));
    if (obstacles.length === 0 && leftOut.length > 0 && leftOut.length === changes.length) obstacles.push(...leftOut);
    if (obstacles.length > 0) throw new CannotRevert(obstacles);
    return leftOut;
  };
  return apply(options, parts, decide, leftOut);
}

/** The entity to bring back. Throws `CannotRevert`. */
export async function entityAt(kind: Kind, address: string, revision: number, { past }: Pick<RevertParts, 'past'>): Promise<Entity> {
  const then = await past.entry(kind, address, revision);
  if (!then) throw new CannotRevert([obstacle(kind, address, `It did not exist at revision ${revision}. To remove it, use DELETE.`)]);
  return then.value;
}

/** Puts an entity back as it was then. Throws `CannotRevert`. */
export function revertEntity(
  kind: Kind,
  then: Entity,
  options: RevertOptions & { readonly checkIfMatch: (draft: Draft, now: Entry | undefined) => void },
  parts: RevertParts,
): Promise<Reversal> {
  const id = idOf(kind, then);
  return apply(options, parts, async (draft) => {
    const now = draft.find(kind, id);
    options.checkIfMatch(draft, now);
    const origin = repoOriginOf(then) ?? (now && repoOriginOf(now.value));
    if (origin) {
      throw new CannotRevert([obstacle(kind, id, definedElsewhere(entityTitle(kind, then), origin))]);
    }
    draft.put(kind, id, then);
    return [];
  });
}

async function apply(
  { author, dryRun }: RevertOptions,
  { changes, log }: RevertParts,
  decide: (draft: Draft, pause: Pause) => Promise<readonly RevertObstacle[]>,
  alsoInTheWay: readonly RevertObstacle[] = [],
): Promise<Reversal> {
  let tried: Draft | undefined;
  const deciding = async (draft: Draft, pause: Pause): Promise<Reversal> => {
    tried = draft;
    return { draft, leftOut: await decide(draft, pause) };
  };
  try {
    return await changes.applyLarge(author, deciding, { dryRun });
  } catch (failure) {
    if (!(failure instanceof InvalidChange)) throw failure;
    throw new CannotRevert([...(await foundObstacles(failure, tried!, log)), ...alsoInTheWay]);
  }
}

async function changesIn(revision: number, { log }: RevertParts): Promise<LoggedChange[]> {
  const changes: LoggedChange[] = [];
  for (let page = await log.changes(revision, 0, CHANGES_AT_ONCE); page.length > 0; ) {
    changes.push(...page);
    page = page.length < CHANGES_AT_ONCE ? [] : await log.changes(revision, page.at(-1)!.position + 1, CHANGES_AT_ONCE);
  }
  return changes;
}

/** From the end: an entity goes before its owner. But whether a config repo exists decides on the entities it had defined. */
function revertOrder(changes: readonly LoggedChange[]): LoggedChange[] {
  const isRepo = ({ kind }: LoggedChange) => kind === CONFIG_REPOS;
  return [...changes.filter(isRepo), ...changes.filter((change) => !isRepo(change)).toReversed()];
}

/** The later changes of the entity, newest first. */
async function changesSince(kind: Kind, { key, revision }: LoggedChange, { log }: RevertParts): Promise<EntityChange[]> {
  const since: EntityChange[] = [];
  for await (const change of changesBefore(log, kind, key, Number.MAX_SAFE_INTEGER)) {
    if (change.revision <= revision || since.length === MAX_LOOKED_AT) break;
    since.push(change);
  }
  return since;
}

/** The obstacles of entities that would be deleted with their owner, although the revision did not touch them. */
function belonging(draft: Draft, touched: ReadonlySet<string>, { log }: RevertParts): Promise<RevertObstacle[]> {
  const others = draft.edits.filter((edit) => edit.removedWith && edit.before && !touched.has(nameOf(edit.kind, edit.key)));
  return Promise.all(
    others.map(async ({ kind, key, id, before, removedWith }) => {
      const owner = entityTitle(removedWith!.kind, removedWith!.before!.value);
      const [last] = await log.changesOf(kind.name, key, Number.MAX_SAFE_INTEGER, 1);
      return obstacle(kind, id, `${entityTitle(kind, before!.value)} belongs to ${owner}, and would be deleted with it.`, last);
    }),
  );
}

function idIn(kind: Kind, { before, after }: LoggedChange): string {
  return idOf(kind, JSON.parse((before ?? after)!) as Entity);
}
