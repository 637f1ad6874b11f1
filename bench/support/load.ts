// Load from many connections at once: wrk where it is installed, else connections of our own.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { type Connection, openConnections, type RequestLine } from './connection.ts';

export const CONNECTIONS = 32;

/** Requests for each second, while `seconds` last; any answer but the expected one is an error. */
export type Load = (url: string, request: RequestLine, status: number, seconds: number, connections?: number) => Promise<number>;

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
export const loadGenerator = hasWrk ? 'wrk' : 'own keep-alive connections';
export const load: Load = hasWrk ? wrkLoad : ownLoad;

async function wrkLoad(
  url: string,
  { path, headers }: RequestLine,
  _status: number,
  seconds: number,
  connections = CONNECTIONS,
): Promise<number> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, ...flags, url + path];
  const { stdout } = await promisify(execFile)('wrk', args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met answers it should not:\n${stdout}`);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)![1]);
}

async function ownLoad(url: string, request: RequestLine, status: number, seconds: number, connections?: number): Promise<number> {
  const requestsOf = (connection: Connection) => {
    const text = connection.compose(request);
    return () => text;
  };
  const letSleep = stayAwake();
  return loadWith(url, status, seconds, requestsOf, connections).finally(letSleep);
}

/**
 * A server pays for waking a client that sleeps until the next answer comes, in its own write. The slower of two servers would wake it more
 * often, and look slower still. So the client does not sleep.
 */
function stayAwake(): () => void {
  let isAwake = true;
  const turn = () => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}

/** Each connection sends the requests that `requestsOf` makes for it, one after the other. */
export async function loadWith(
  url: string,
  status: number,
  seconds: number,
  requestsOf: (connection: Connection, index: number) => () => string,
  count = CONNECTIONS,
): Promise<number> {
  const connections = await openConnections(url, count);
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let answered = 0;
  const work = async (connection: Connection, index: number) => {
    const next = requestsOf(connection, index);
    while (performance.now() < end) {
      const got = await connection.send(next());
      if (got !== status) throw new Error(`Expected ${status}, got ${got}.`);
      answered++;
    }
  };
  await Promise.all(connections.map(work));
  const rate = answered / ((performance.now() - startedAt) / 1000);
  for (const connection of connections) connection.close();
  return rate;
}
