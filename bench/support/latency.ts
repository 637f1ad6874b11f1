// How long single requests take, each after a short pause: on several connections, because one alone seldom meets a stall.
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, openConnections, type RequestLine } from './connection.ts';

export const LATENCY_CONNECTIONS = 8;
const PAUSE_MS = 2;

/** In milliseconds, of all requests that began until `isOver`. */
export async function latencies(
  url: string,
  requestOf: (turn: number) => RequestLine,
  isOver: () => boolean,
  count = LATENCY_CONNECTIONS,
): Promise<number[]> {
  const connections = await openConnections(url, count);
  const times: number[] = [];
  let turn = 0;
  const work = async (connection: Connection) => {
    for (; !isOver(); await delay(PAUSE_MS)) {
      const text = connection.compose(requestOf(turn++));
      const began = performance.now();
      const status = await connection.send(text);
      if (status !== 200) throw new Error(`A request was answered with status ${status}.`);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(connections.map(work));
  for (const connection of connections) connection.close();
  return times;
}

/** Over when so many milliseconds have passed. */
export function during(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
}
