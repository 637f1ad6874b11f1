// Reverts the change of one revision to one entity.
import type { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { type RemoteOrigin, repoOriginOf } from '../../config/repo-origin.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { KindName } from '../../shape/configuration.ts';
import { type ReadingTools, readEntity } from '../../shape/json/entity-json.ts';
import { etagOf } from '../../shape/json/etag.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import { type Entity, idOf, type Kind } from '../../shape/resource.ts';
import { isCompacted } from '../../store/revisions/compaction.ts';
import type { EntityChange, LoggedChange } from '../../store/revisions/revision-log.ts';
import { changesBetween, entityTitle, mergeEntities } from '../difference/entity-difference.ts';
import { overlappingPaths } from '../difference/overlapping-paths.ts';
import { entityFrom } from '../stored-value.ts';

export type RevertResult =
  | { readonly done: true }
  /** Why it is left as it is. */
  | { readonly leftOut: string }
  /** The obstacle, and the change that caused it, if that is known. */
  | { readonly obstacle: string; readonly by: EntityChange | undefined };

/** Entities that record which definitions of a config repo are in force: they come and go with those. */
const PUBLISHED: ReadonlySet<KindName> = new Set(['publishedRevisions']);
const DONE: RevertResult = { done: true };

/** An entity before and after the revision, and as it is now; undefined: it is not there. */
interface States {
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
  readonly now: Entry | undefined;
}

interface AllStates {
  readonly before: Entity;
  readonly after: Entity;
  readonly now: Entry;
}

/** `since`: the later changes of the entity, newest first. */
export async function revertChange(
  draft: Draft,
  kind: Kind,
  change: LoggedChange,
  tools: ReadingTools,
  since: readonly EntityChange[],
): Promise<RevertResult> {
  const stored = (value: string | null) => (value === null ? undefined : entityFrom(kind, value));
  const [before, then] = [stored(change.before), stored(change.after)];
  // An entity that was handed over to a config repo does not exist without it.
  const after = before && then && !repoOriginOf(before) && repoOriginOf(then) ? undefined : then;
  const states = { before, after, now: draft.find(kind, change.key) };
  const { now } = states;
  const subject = (before ?? after)!;
  const name = entityTitle(kind, subject);
  if (before && after && now && isTakenOver(before, after, now)) return release(draft, kind, { before, after, now }, since);
  const origin = repoOriginOf(subject) ?? (now && repoOriginOf(now.value));
  if (origin) return { leftOut: definedElsewhere(name, origin) };
  if (PUBLISHED.has(kind.name)) return { leftOut: `${name} follows from what its config repo defines.` };
  if (now?.etag === (before && etagOf(before))) return DONE;
  if (now?.etag === (after && etagOf(after))) {
    if (before) draft.put(kind, idOf(kind, before), before);
    else draft.remove(kind, idOf(kind, subject));
    return DONE;
  }
  return before && after && now
    ? revertInPart(draft, kind, { before, after, now }, tools, since)
    : { obstacle: whyNot(name, states, revisionText(since[0])), by: since[0] };
}

/** A config repo defined it before, and the server's own configuration has defined it since. */
function isTakenOver(before: Entity, after: Entity, now: Entry): boolean {
  return repoOriginOf(before) !== undefined && !repoOriginOf(after) && !repoOriginOf(now.value);
}

/** It stays in force as the config repo had defined it, until the repo is read again. */
function release(draft: Draft, kind: Kind, { before, after, now }: AllStates, since: readonly EntityChange[]): RevertResult {
  const { repo } = repoOriginOf(before)!;
  const name = entityTitle(kind, after);
  if (!draft.find(draft.kind('configRepos'), repo)) {
    return { obstacle: `${name} was defined in the config repo '${repo}', which is not there any more.`, by: undefined };
  }
  if (now.etag !== etagOf(after)) {
    return {
      obstacle: `${name} was changed again ${revisionText(since[0])}: giving it back to its config repo would lose that.`,
      by: since[0],
    };
  }
  draft.put(kind, idOf(kind, before), before);
  return DONE;
}

export function definedElsewhere(name: string, { repo, file }: RemoteOrigin): string {
  return `${name} is defined in the config repo '${repo}', in the file ${file}, which alone can change it.`;
}

/** Later changes of others stay, unless they touched the same fields. */
async function revertInPart(
  draft: Draft,
  kind: Kind,
  { before, after, now }: AllStates,
  tools: ReadingTools,
  since: readonly EntityChange[],
): Promise<RevertResult> {
  const merge = await mergeEntities(kind, after, before, now.value);
  if ('overlaps' in merge) {
    const paths = merge.overlaps.map(({ path }) => path);
    const culprit = (await findTouching(kind, since, paths)) ?? since[0];
    const fields = paths.map((path) => path || 'everything').join(', ');
    return {
      obstacle: `${entityTitle(kind, after)} was changed again ${revisionText(culprit)}, in the same fields: ${fields}.`,
      by: culprit,
    };
  }
  // A former secret goes only where it went before, not to an address that a user has entered since; and the other way round.
  const against = { ruleView: draft.ruleView, current: now.value, isSealed: true, former: [before, after] };
  const { entity, problems }: { entity: Entity; problems: readonly Problem[] } = readEntity(kind, merge.merged, against, tools);
  draft.put(kind, idOf(kind, now.value), entity, problems);
  return DONE;
}

/** The first of these changes that has touched one of these fields. */
async function findTouching(kind: Kind, changes: readonly EntityChange[], paths: readonly string[]): Promise<EntityChange | undefined> {
  const overlapping = overlappingPaths(paths);
  for (const change of changes) {
    if (isCompacted(change) || change.before === null || change.after === null) return change;
    const fields = await changesBetween(kind, entityFrom(kind, change.before), entityFrom(kind, change.after));
    if (fields.some(({ path }) => overlapping(path))) return change;
    await pause();
  }
  return undefined;
}

function revisionText(change: EntityChange | undefined): string {
  return change ? `in revision ${change.revision} by ${change.actor}` : 'since';
}

function whyNot(name: string, { before, now }: States, since: string): string {
  if (!now) return `${name} was deleted ${since}.`;
  return before ? `${name} was created again ${since}.` : `${name} was changed again ${since}: undoing its creation would lose that.`;
}
