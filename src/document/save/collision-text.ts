// Collisions in words: the entity, the user who has changed it meanwhile, and the time.
import type { KindName } from '../../shape/configuration.ts';
import { type Kind, keyOf } from '../../shape/resource.ts';
import type { LastChange } from '../../store/revisions/last-change.ts';
import type { ChangedByOthers } from './changed-by-others.ts';
import { type Collision, MODIFIED, type SaveCollision } from './collision.ts';
import { entityLabel } from './entity-label.ts';
import type { FileRefused } from './refused.ts';

/** Maximum number of collisions that are listed: more would not help the reader. */
const MAX_LISTED = 100;

export type FindLastChange = (kind: KindName, key: string) => Promise<LastChange | undefined>;

export async function collisionText({ message, collisions }: SaveCollision, find: FindLastChange): Promise<string> {
  return [message, ...(await linesOf(collisions, (collision) => lineOf(collision, find)))].join('\n');
}

/** The message about a file that is wrong only together with later changes by others. */
export async function mergeText(refused: FileRefused, others: readonly ChangedByOthers[], find: FindLastChange): Promise<string> {
  const problems = [...refused.inFile.map(({ line, message }) => `line ${line}: ${message}`), ...refused.elsewhere];
  const changes = await linesOf(others, async ({ kind, id, what }) => `${await doneBy(kind, id, what, find)}.`);
  return [MODIFIED, ...problems, ...changes].join('\n');
}

async function linesOf<T>(all: readonly T[], line: (one: T) => Promise<string>): Promise<string[]> {
  const lines = await Promise.all(all.slice(0, MAX_LISTED).map(line));
  return all.length > MAX_LISTED ? [...lines, `And ${all.length - MAX_LISTED} more.`] : lines;
}

const DONE = { create: 'created', change: 'changed', delete: 'deleted' };

async function lineOf({ kind, id, byOthers, here }: Collision, find: FindLastChange): Promise<string> {
  const inFile = byOthers !== 'delete' && here === 'change' ? 'differently' : DONE[here];
  return `${await doneBy(kind, id, byOthers, find)}, and ${inFile} in this file.`;
}

async function doneBy(kind: Kind, id: string, what: keyof typeof DONE, find: FindLastChange): Promise<string> {
  const last = await find(kind.name, keyOf(kind, id));
  const by = last ? ` by ${last.actor} at ${last.time} (revision ${last.revision})` : '';
  return `${entityLabel(kind, id)} was ${DONE[what]}${by}`;
}
