// The servers on one database, as the API gives them.
import type { AnswerOf, ListItem } from '../api/answers.ts';

export type Replica = ListItem<'GET /api/admin/replicas', 'replicas'>;
export type ReplicaList = Pick<AnswerOf<'GET /api/admin/replicas'>, '_embedded'>;

/** Servers report every few seconds; after this something is wrong. */
const LATE_MS = 15_000;

export function isLate({ silent_ms: silent }: Replica): boolean {
  return silent > LATE_MS;
}

export function isAlone([first, ...others]: readonly Replica[]): boolean {
  return others.length === 0 && first?.id === 'embedded';
}
