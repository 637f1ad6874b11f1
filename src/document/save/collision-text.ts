// What collided, in words: who has changed it meanwhile, and when.
import { keyOf } from '../../shape/resource.ts';
import type { LastChange } from '../../store/last-change.ts';
import type { Collided, Collision } from './collision.ts';
import { called } from './words.ts';

/** Nobody reads on after so many. */
const MOST = 100;

export type FindLastChange = (kind: string, key: string) => Promise<LastChange | undefined>;

export async function collisionText({ message, collisions }: Collided, find: FindLastChange): Promise<string> {
  const lines = await Promise.all(collisions.slice(0, MOST).map((collision) => lineOf(collision, find)));
  const more = collisions.length > MOST ? [`And ${collisions.length - MOST} more.`] : [];
  return [message, ...lines, ...more].join('\n');
}

const DONE = { create: 'created', change: 'changed', delete: 'deleted' };

async function lineOf({ kind, id, byOthers, here }: Collision, find: FindLastChange): Promise<string> {
  const last = await find(kind.name, keyOf(kind, id));
  const by = last ? ` by ${last.actor} at ${last.time} (revision ${last.revision})` : '';
  const inFile = byOthers !== 'delete' && here === 'change' ? 'differently' : DONE[here];
  return `${called(kind, id)} was ${DONE[byOthers]}${by}, and ${inFile} in this file.`;
}
