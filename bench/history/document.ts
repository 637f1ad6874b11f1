// The configuration as one document: served, made anew after a change, and recorded revision by revision.
import { type Connection, openConnections } from '../support/connection.ts';
import { getDocument, historyCaughtUp, readDocument } from '../support/datasets/document.ts';
import { createPipelines, getPipeline, putPipeline } from '../support/datasets/pipelines.ts';
import { sideOf } from '../support/get-store.ts';
import { startWatchedServer } from '../support/loop-delay.ts';
import type { Measurement } from '../support/measurement.ts';
import { record } from '../support/recording.ts';
import { compareRates } from '../support/side-by-side.ts';
import { median, percentile } from '../support/statistics.ts';

/** Answers of this size are few: fewer readers, longer rounds. */
const READERS = 4;
const PACE = { warmUpSeconds: 2, rounds: 5, roundSeconds: 3 };
const CHANGES = 20;
const MAX_P99_MS = 20;
const MAX_STALL_MS = 50;
const TWO_MEGABYTES = 2_000_000;
const BACKLOG = 5000;
const MIN_PER_SECOND = 50;
const WRITERS = 16;
const STEP = 7919;

export const documentUnchanged: Measurement = {
  name: 'document-unchanged',
  what: 'GET config.xml of 10,000 pipelines, unchanged',
  beside: 'bare node:http, same bytes and headers',
  goal: '≥ 0.80',
  run: async (lab) => {
    const server = await lab.startServer(await lab.pipelinesDataDir());
    const request = getDocument(await lab.newBearer(server.url));
    const bare = await lab.startBareServer(await record(server.url, request, 200));
    const outcome = await compareRates(sideOf(server, request, 200, READERS), sideOf(bare, request, 200, READERS), PACE, {
      goal: 0.8,
      isProcessorBound: false,
    });
    await Promise.all([server.stop(), bare.stop()]);
    return outcome;
  },
};

export const documentChanged: Measurement = {
  name: 'document-changed',
  what: 'GET config.xml of 10,000 pipelines after a change / GET one pipeline meanwhile / longest stall',
  beside: '–',
  goal: `stated / p99 ≤ ${MAX_P99_MS} ms / ≤ ${MAX_STALL_MS} ms`,
  run: async (lab) => {
    const server = await startWatchedServer(lab, await lab.pipelinesDataDir());
    const bytes = (await readDocument(server.url, lab.basic)).length;
    const [writer, reader, bystander] = await openConnections(server.url, 3);
    const times: number[] = [];
    const others: number[] = [];
    let isDone = false;
    await server.longestDelay();
    const watching = (async () => {
      for (let turn = 0; !isDone; turn++) others.push(await timed(bystander!, getPipeline((turn * STEP) % lab.scale.pipelines, lab.basic)));
    })();
    for (let turn = 1; turn <= CHANGES; turn++) {
      await timed(writer!, putPipeline((turn * STEP) % lab.scale.pipelines, turn, lab.basic));
      times.push(await timed(reader!, getDocument(lab.basic)));
    }
    isDone = true;
    await watching;
    const stall = await server.longestDelay();
    await server.stop();
    const [documentMs, othersP99, othersWorst] = [median(times), percentile(others, 0.99), percentile(others, 1)];
    return {
      figure: `${documentMs.toFixed(0)} ms / ${othersP99.toFixed(1)} ms / ${stall.toFixed(0)} ms`,
      isMet: othersP99 <= MAX_P99_MS && stall <= MAX_STALL_MS,
      numbers: { documentMs, othersP99, othersWorst, stall, bytes },
      notes: [
        `${(bytes / 1e6).toFixed(1)} MB; the slowest of ${others.length} other requests took ${othersWorst.toFixed(1)} ms, as the client saw it that also read the document`,
      ],
    };
  },
};

export const historyRate: Measurement = {
  name: 'history-rate',
  what: `revisions recorded in git and by MD5, document of 2 MB, ${BACKLOG} writes at once`,
  beside: '–',
  goal: `≥ ${MIN_PER_SECOND}/s, and all of them`,
  run: async (lab) => {
    const server = await lab.startServer(lab.newPath());
    const authorization = await lab.newBearer(server.url);
    const count = await pipelinesOf(TWO_MEGABYTES, server.url, authorization);
    await historyCaughtUp(server.url, authorization);
    const writes = Math.min(BACKLOG, lab.scale.requests * 2);
    const startedAt = performance.now();
    await writeAll(server.url, authorization, writes, count);
    const writtenMs = performance.now() - startedAt;
    await historyCaughtUp(server.url, authorization);
    const recordedMs = performance.now() - startedAt;
    const bytes = (await readDocument(server.url, authorization)).length;
    await server.stop();
    const perSecond = (writes / recordedMs) * 1000;
    return {
      figure: `${perSecond.toFixed(0)}/s`,
      isMet: perSecond >= MIN_PER_SECOND,
      numbers: { perSecond, writes, writtenMs, recordedMs, bytes },
      notes: [
        `${writes} writes took ${(writtenMs / 1000).toFixed(1)} s, all were recorded after ${(recordedMs / 1000).toFixed(1)} s; ${(bytes / 1e6).toFixed(2)} MB`,
      ],
    };
  },
};

/** Creates pipelines until the document is large enough. */
async function pipelinesOf(size: number, url: string, authorization: string): Promise<number> {
  const few = 50;
  await createPipelines(url, few, authorization);
  const each = (await readDocument(url, authorization)).length / few;
  const count = Math.ceil(size / each);
  await createPipelines(url, count, authorization, few);
  return count;
}

async function writeAll(url: string, authorization: string, writes: number, count: number): Promise<void> {
  const connections = await openConnections(url, WRITERS);
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let turn = next++; turn < writes; turn = next++)
        await timed(connection, putPipeline((turn * STEP) % count, turn + 1, authorization));
      connection.close();
    }),
  );
}

async function timed(connection: Connection, request: ReturnType<typeof getDocument>): Promise<number> {
  const bytes = connection.compose(request);
  const startedAt = performance.now();
  const status = await connection.send(bytes);
  if (status !== 200) throw new Error(`${request.method} ${request.path}: status ${status}.`);
  return performance.now() - startedAt;
}
