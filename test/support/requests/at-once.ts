// Requests that the server works on at the same moment.

import type { Reply, TestServer } from '../server/server.ts';
import { accepted } from './callers.ts';

/** A change of a user makes the server forget checked logins, so all requests wait for one check of their login, and go on together. */
export async function atOnce(server: TestServer, ...asks: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
  accepted(await server.patch('/api/users/admin', {}));
  return Promise.all(asks.map((ask) => ask()));
}

export function times(count: number, ask: (index: number) => Promise<Reply>): (() => Promise<Reply>)[] {
  return Array.from({ length: count }, (_, index) => () => ask(index));
}

export function statusesOf(replies: readonly Reply[]): number[] {
  return replies.map(({ status }) => status).toSorted();
}
