// Helpers for tests of clients: the context for a poll, all modifications of a poll, and the command lines that others can see.

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { KnownRevision, MaterialClient, NewModification, PollContext, PolledMaterial } from '../../../src/materials/clients/client.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { ALLOW_ALL_ADDRESSES } from '../../support/server/allow-all-addresses.ts';

const MEGABYTE = 1024 * 1024;

export class Lab {
  readonly directory = mkdtempSync(join(tmpdir(), 'slipway-materials-'));
  #count = 0;

  newPath(name = 'thing'): string {
    return join(this.directory, `${name}-${++this.#count}`);
  }

  context({
    directory = this.newPath('polled'),
    timeoutMs = PATIENCE_MS,
    maxBytes = 500 * MEGABYTE,
    signal = new AbortController().signal,
  } = {}): PollContext {
    return { directory, signal, onActivity: () => {}, ...ALLOW_ALL_ADDRESSES, limits: { timeoutMs, maxBytes } };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function batchesOf<M extends PolledMaterial>(
  client: MaterialClient<M>,
  material: M,
  known: string | undefined,
  context: PollContext,
): Promise<(readonly NewModification[])[]> {
  const batches: (readonly NewModification[])[] = [];
  const before: KnownRevision | undefined = known === undefined ? undefined : { revision: known };
  for await (const batch of client.poll(material, before, context)) batches.push(batch);
  return batches;
}

export async function pollAll<M extends PolledMaterial>(
  client: MaterialClient<M>,
  material: M,
  known: string | undefined,
  context: PollContext,
): Promise<NewModification[]> {
  return (await batchesOf(client, material, known, context)).flat();
}

/** Looks at the command lines of all processes that this one has started, over and over, while something runs. Other tests run beside it. */
export async function commandLinesDuring(work: () => Promise<unknown>): Promise<Set<string>> {
  const seen = new Set<string>();
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      for (const pid of descendants()) seen.add(commandLineOf(pid));
      await pause(1); // the watched work needs the processor, too
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await watching;
  }
  return seen;
}

function descendants(): readonly string[] {
  const parents = new Map(readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? [[pid, parentOf(pid)] as const] : [])));
  const isOurs = (pid: string | undefined): boolean => pid !== undefined && (pid === String(process.pid) || isOurs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => isOurs(parents.get(pid)));
}

function parentOf(pid: string): string | undefined {
  // The second field is the program's name in parentheses and may contain spaces.
  return readOf(pid, 'stat').split(') ')[1]?.split(' ')[1];
}

function commandLineOf(pid: string): string {
  return readOf(pid, 'cmdline').replaceAll('\0', ' ');
}

function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}

/** The files below a folder that hold a text. */
export function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

/** All that an error could reveal when it is printed. */
export function allTextOf(failure: unknown): string {
  const parts: string[] = [];
  for (let at = failure; at instanceof Error; at = at.cause) parts.push(at.message, at.stack ?? '', JSON.stringify(at));
  return parts.join('\n');
}

/** Lets a server listen for the time of a test; gives its port. */
export async function listenDuring(test: TestContext, server: Server & { closeAllConnections?(): void }): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
