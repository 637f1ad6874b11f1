// What collided, in words: who has changed it meanwhile, and when.
import { type Kind, keyOf } from '../../shape/resource.ts';
import type { LastChange } from '../../store/last-change.ts';
import type { Collided } from './decide.ts';
import { called } from './words.ts';

/** Nobody reads on after so many. */
const MOST = 100;

export type FindLastChange = (kind: string, key: string) => Promise<LastChange | undefined>;

export async function collisionText({ message, collisions }: Collided, find: FindLastChange): Promise<string> {
  const lines = await Promise.all(collisions.slice(0, MOST).map(({ kind, id }) => lineOf(kind, id, find)));
  const more = collisions.length > MOST ? [`And ${collisions.length - MOST} more.`] : [];
  return [message, ...lines, ...more].join('\n');
}

async function lineOf(kind: Kind, id: string, find: FindLastChange): Promise<string> {
  const last = await find(kind.name, keyOf(kind, id));
  const by = last ? ` by ${last.actor} at ${last.time} (revision ${last.revision})` : '';
  return `${called(kind, id)} was changed${by}, and differently in this file.`;
}
