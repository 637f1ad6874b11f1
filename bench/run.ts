// Runs the benchmarks and prints one table: our server beside the raw limit, both measured in the same run.
import { spawnSync } from 'node:child_process';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backupOfLarge } from './background/backup.ts';
import { backupLatency, backupLatencyBusyDisk } from './background/backup-latency.ts';
import { configRepoBlock } from './background/config-repo-block.ts';
import { configRepoParse } from './background/config-repo-parse.ts';
import { configRepoRestart } from './background/config-repo-restart.ts';
import { configRepoChange, configRepoLatency } from './background/config-repo-update.ts';
import { gitPolling } from './background/git-polling.ts';
import { modificationPages, recordModifications } from './background/modifications.ts';
import { pollingLatency } from './background/polling-latency.ts';
import { recordingLatency } from './background/recording-latency.ts';
import { restoreLarge } from './background/restore.ts';
import { artifactLarge, artifactList, artifactsSmall } from './builds/artifacts.ts';
import { buildLatency, buildRate } from './builds/builds.ts';
import { fanInDiamond, idleAgents, triggerAtSize } from './builds/builds-at-size.ts';
import { consoleStream } from './builds/console.ts';
import { dashboard } from './builds/dashboard.ts';
import { pages } from './builds/pages.ts';
import { documentChanged, documentUnchanged, historyRate } from './history/document.ts';
import { eventStream } from './history/events.ts';
import { gitClone, gitWrite } from './history/git-history.ts';
import { historyAt, revisionPages } from './history/history-at.ts';
import { importLarge } from './history/import.ts';
import { moveLarge } from './move.ts';
import { replicaRead, replicaWriteMany, replicaWriteOne } from './replicas.ts';
import { decisions } from './requests/decisions.ts';
import { getBasic } from './requests/get-basic.ts';
import { getBesideWrites } from './requests/get-beside-writes.ts';
import { getOne } from './requests/get-one.ts';
import { getUnchanged } from './requests/get-unchanged.ts';
import { listProfiles } from './requests/list-profiles.ts';
import { memory } from './requests/memory.ts';
import { getOnePipeline, pipelinesAtStart, putEnvironmentAtSize, putPipelineAtSize } from './requests/pipelines.ts';
import { putAtSize } from './requests/put-at-size.ts';
import { putDurable, putDurableBusyDisk } from './requests/put-durable.ts';
import { start } from './requests/start.ts';
import { Lab, type Scale } from './support/lab.ts';
import { loadGenerator } from './support/load.ts';
import type { Measurement, Result } from './support/measurement.ts';
import { tableOf } from './support/table.ts';

const MEASUREMENTS: readonly Measurement[] = [
  getOne,
  getUnchanged,
  getBasic,
  getBesideWrites,
  listProfiles,
  putDurable,
  putDurableBusyDisk,
  putAtSize,
  start,
  memory,
  decisions,
  configRepoParse,
  configRepoBlock,
  configRepoRestart,
  configRepoChange,
  configRepoLatency,
  putPipelineAtSize,
  putEnvironmentAtSize,
  getOnePipeline,
  pipelinesAtStart,
  backupOfLarge,
  backupLatency,
  backupLatencyBusyDisk,
  restoreLarge,
  modificationPages,
  recordModifications,
  recordingLatency,
  gitPolling,
  pollingLatency,
  documentUnchanged,
  documentChanged,
  historyRate,
  historyAt,
  revisionPages,
  importLarge,
  gitWrite,
  gitClone,
  eventStream,
  consoleStream,
  buildLatency,
  buildRate,
  triggerAtSize,
  fanInDiamond,
  idleAgents,
  dashboard,
  pages,
  artifactLarge,
  artifactsSmall,
  artifactList,
  replicaWriteOne,
  replicaWriteMany,
  replicaRead,
  moveLarge,
];
const MAX_RUN_MS = 660_000;
const FULL: Scale = {
  environments: 10_000,
  pipelines: 10_000,
  databaseBytes: 1_000_000_000,
  pace: { warmUpSeconds: 2, rounds: 7, roundSeconds: 1 },
  requests: 4000,
  starts: 7,
  artifactBytes: 1024 ** 3,
  artifacts: 10_000,
};
const QUICK: Scale = {
  environments: 1000,
  pipelines: 1000,
  databaseBytes: 100_000_000,
  pace: { warmUpSeconds: 1, rounds: 3, roundSeconds: 1 },
  requests: 500,
  starts: 3,
  artifactBytes: 256 * 1024 ** 2,
  artifacts: 2000,
};

function chosenOptions() {
  try {
    const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' }, quick: { type: 'boolean' } } });
    const names = values.only?.split(',');
    const chosen = MEASUREMENTS.filter(({ name, isLong }) => names?.includes(name) ?? !isLong);
    if (chosen.length > 0) return { chosen, asJson: values.json === true, isQuick: values.quick === true };
    throw new Error(`There is no measurement called ${values.only}.`);
  } catch (failure) {
    const names = MEASUREMENTS.map(({ name }) => name).join(', ');
    process.stderr.write(
      `${(failure as Error).message}\nUsage: npm run bench -- [--json] [--quick] [--only NAME,NAME…]\nNames: ${names}\n`,
    );
    process.exit(2);
  }
}

/** The servers run from the bundle, which must be that of the sources as they are now. */
function buildServer(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '..', 'tools', 'build.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const { chosen, asJson, isQuick } = chosenOptions();
buildServer();
const results: Result[] = [];
const [loadBefore = 0] = loadavg();
const lab = new Lab(isQuick ? QUICK : FULL);
process.once('exit', () => lab.close());
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
setTimeout(() => {
  process.stderr.write(`Stopped after ${MAX_RUN_MS / 1000} seconds; what was not measured until then is missing.\n`);
  print();
  process.exit(1);
}, MAX_RUN_MS).unref();

for (const { run, ...about } of chosen) {
  process.stderr.write(`measuring ${about.name} …\n`);
  results.push({ ...about, ...(await run(lab)) });
}
print();

function print(): void {
  const conditions = {
    node: process.version,
    processors: `${cpus().length} × ${cpus()[0]?.model}`,
    loadGenerator,
    dataIn: tmpdir(),
    environments: lab.scale.environments,
    loadBefore,
    loadAfter: loadavg()[0]!,
  };
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ ...conditions, results }, null, 2)}\n`);
    return;
  }
  const { node, processors, dataIn, environments, loadAfter } = conditions;
  const about = `Node ${node}, ${processors}; GETs sent by ${loadGenerator}; data in ${dataIn}`;
  const load = `Load average ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after; the run itself makes about 2, more comes from others.`;
  const warning = isQuick ? `Quick run: ${environments} environments where the table says 10,000, and rough figures.\n` : '';
  process.stdout.write(`${about}\n${load}\n${warning}\n${tableOf(results)}\n`);
}
