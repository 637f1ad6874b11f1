// Pipelines at the size of real installations: writes, reads, start and memory.
import { setTimeout as delay } from 'node:timers/promises';
import { compareAtSizes } from '../support/datasets/at-size.ts';
import { createEnvironments, environmentName, putEnvironment } from '../support/datasets/environments.ts';
import { createPipelines, getPipeline, putPipeline } from '../support/datasets/pipelines.ts';
import { sideOf } from '../support/get-store.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { memoryMb } from '../support/process.ts';
import { record } from '../support/recording.ts';
import { compareRates } from '../support/side-by-side.ts';
import { median } from '../support/statistics.ts';

const FEW = 10;
const MAX_P50 = 1.15;
const MAX_P99 = 1.5;
const MAX_START_MS = 2000;
const MAX_MB = 400;
const SETTLE_MS = 3000;
/** Has no common factor with the counts. */
const STEP = 7919;

async function twoServers(lab: Lab) {
  const full = await lab.startServer(await lab.pipelinesDataDir());
  const small = await lab.startServer(lab.newPath());
  await createPipelines(small.url, FEW, lab.basic);
  return { full, small };
}

export const putPipelineAtSize: Measurement = {
  name: 'put-pipeline-at-size',
  what: 'PUT one pipeline with 10,000 pipelines in the configuration',
  beside: 'the same with 10',
  goal: `p50 ≤ ${MAX_P50} ×, p99 ≤ ${MAX_P99} ×`,
  run: async (lab) => {
    const { full, small } = await twoServers(lab);
    const side = (url: string, count: number) => ({ url, request: (turn: number) => putPipeline((turn * STEP) % count, turn, lab.basic) });
    const goals = { p50: MAX_P50, p99: MAX_P99 };
    const outcome = await compareAtSizes(side(full.url, lab.scale.pipelines), side(small.url, FEW), lab.scale.requests, goals);
    await Promise.all([full.stop(), small.stop()]);
    return outcome;
  },
};

export const putEnvironmentAtSize: Measurement = {
  name: 'put-environment-at-size',
  what: 'PUT one environment with 10,000 pipelines in the configuration',
  beside: 'the same with 10',
  goal: `p50 ≤ ${MAX_P50} ×, p99 ≤ ${MAX_P99} ×`,
  run: async (lab) => {
    const { full, small } = await twoServers(lab);
    for (const { url } of [full, small]) await createEnvironments(url, FEW, lab.basic);
    const side = (url: string) => ({
      url,
      request: (turn: number) => putEnvironment(environmentName((turn * STEP) % FEW), turn, lab.basic),
    });
    const outcome = await compareAtSizes(side(full.url), side(small.url), lab.scale.requests, { p50: MAX_P50, p99: MAX_P99 });
    await Promise.all([full.stop(), small.stop()]);
    return outcome;
  },
};

export const getOnePipeline: Measurement = {
  name: 'get-pipeline',
  what: 'GET one of 10,000 pipelines, bearer token',
  beside: 'bare node:http, same bytes and headers',
  goal: '≥ 0.80',
  run: async (lab) => {
    // Repositories are not polled meanwhile: the cost of polls is measured by itself.
    const server = await lab.startServer(await lab.pipelinesDataDir(), ['--material-interval', '0']);
    const request = getPipeline(lab.scale.pipelines >> 1, await lab.newBearer(server.url));
    const bare = await lab.startBareServer(await record(server.url, request, 200));
    const outcome = await compareRates(sideOf(server, request, 200), sideOf(bare, request, 200), lab.scale.pace, {
      goal: 0.8,
      isProcessorBound: true,
    });
    await Promise.all([server.stop(), bare.stop()]);
    return outcome;
  },
};

export const pipelinesAtStart: Measurement = {
  name: 'pipelines-start',
  what: 'start to ready and memory at 10,000 pipelines',
  beside: '–',
  goal: `≤ ${MAX_START_MS} ms, ≤ ${MAX_MB} MB`,
  run: async (lab) => {
    const dataDir = await lab.pipelinesDataDir();
    const times: number[] = [];
    let megabytes = 0;
    for (let round = 0; round < lab.scale.starts; round++) {
      const server = await lab.startServer(dataDir);
      times.push(server.startMs);
      await delay(SETTLE_MS);
      megabytes = Math.max(megabytes, memoryMb(server.pid));
      await server.stop();
    }
    const startMs = median(times);
    return {
      figure: `${startMs.toFixed(0)} ms, ${megabytes.toFixed(0)} MB`,
      isMet: startMs <= MAX_START_MS && megabytes <= MAX_MB,
      numbers: { startMs, megabytes },
      notes: [],
    };
  },
};
