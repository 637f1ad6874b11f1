// Joins config repos to the server: the plugins that read them, where the result is kept, and the API about them.
import type { ParseInfo } from '../../api/endpoints/config-repos/list.ts';
import { configRepoRoutes } from '../../api/endpoints/config-repos/routes.ts';
import type { ResourceParts } from '../../api/engine/resource-parts.ts';
import type { Route } from '../../api/engine/route.ts';
import type { Config } from '../../config/current.ts';
import { ConfigRepoCycles } from '../../config-repos/cycle/cycles.ts';
import { errorText, fetchErrorText } from '../../config-repos/cycle/texts.ts';
import { parseWith } from '../../config-repos/parsing/parse-with.ts';
import { ParserPool } from '../../config-repos/parsing/pool.ts';
import { definitionLocations, type FilesOf } from '../../config-repos/publish/definition-locations.ts';
import { definitionsInForce } from '../../config-repos/publish/definitions-in-force.ts';
import { Publisher } from '../../config-repos/publish/publisher.ts';
import { refuseRemoteEdits } from '../../config-repos/publish/read-only.ts';
import { withdrawWithDeleted } from '../../config-repos/publish/withdraw.ts';
import type { ImportedKeys } from '../../document/upgrade/imported-keys.ts';
import { ANSWERS } from '../../formats/external/protocol.ts';
import { locate } from '../../formats/locate.ts';
import type { HealthMessages } from '../../health/messages.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { DutyCycle } from '../../kit/concurrency/duty-cycle.ts';
import { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import { startThread } from '../../kit/concurrency/threads/thread.ts';
import type { Log } from '../../kit/log.ts';
import { ownProgram } from '../../kit/process/own-program.ts';
import { WORK_BOUNDS } from '../../kit/telemetry/histogram.ts';
import { LabelledHistograms } from '../../kit/telemetry/labelled-histograms.ts';
import { openFiles } from '../../materials/files/open-files.ts';
import type { PollRequestResult } from '../../materials/polling/poll-schedule.ts';
import type { PluginHost } from '../../plugins/host.ts';
import { ConfigRepoFiles } from '../../store/config-repos/files.ts';
import { ConfigRepoParses } from '../../store/config-repos/parses.ts';
import { ConfigRepoStates } from '../../store/config-repos/states.ts';
import type { Database } from '../../store/database.ts';
import type { Publish } from './event-log.ts';
import type { OpenMaterials } from './materials.ts';
import { openPreflight } from './preflight.ts';

interface Parts extends ResourceParts {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly importedKeys: Pick<ImportedKeys, 'listen'>;
  readonly plugins: PluginHost;
  readonly runner: PeriodicRunner;
  readonly health: HealthMessages;
  readonly materials: OpenMaterials['ofConfigRepos'];
  readonly log: Log;
  isPaused(): boolean;
  readonly publish: Pick<Publish, 'configRepoParsed'>;
}

export interface OpenConfigRepos {
  readonly routes: readonly Route[];
  updateConfigRepo(id: string): Promise<PollRequestResult>;
  /** Whether definitions are being read, or are about to be. */
  isReading(id: string): Promise<boolean>;
  /** How long attempts to bring a revision into force took, by how they ended. */
  readonly parseTimes: LabelledHistograms;
  /** Takes up unfinished work. */
  start(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

const KIND = 'config repo update';
/** Maximum number of config repos that are read at a time. */
export const CONFIG_REPO_LANES = { [KIND]: 4 };

const MINUTE_MS = 60_000;
const GIGABYTE = 1024 ** 3;
const READING = { readMs: 10 * MINUTE_MS, programMs: 5 * MINUTE_MS, maxBytes: 20 * GIGABYTE };
const THREAD = ownProgram('server/threads/parser.ts');
/** Every write waits for a publication, and hundreds may come in a row. */
const PUBLISHING = { share: 0.03, maxRestMs: 1_000 };
const PARSING = { maxThreads: 2, limitMs: 30_000, idleMs: MINUTE_MS };
const MAX_MEGABYTES = 512;

export function openConfigRepos(parts: Parts): OpenConfigRepos {
  const { database, config, changes, tools, cipher, plugins, runner, health, materials, log, isPaused } = parts;
  for (const completion of [refuseRemoteEdits, withdrawWithDeleted]) changes.addCompletion(completion);
  const parses = new ConfigRepoParses(database);
  const files = new ConfigRepoFiles(database);
  const filesOf: FilesOf = (repo, paths) => (paths === undefined ? files.all(repo) : files.at(repo, paths));
  const pool = new ParserPool({
    ...PARSING,
    startThread: () => startThread(THREAD, { resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES } }),
  });
  const parse = parseWith(plugins, pool, ANSWERS);
  const parseTimes = new LabelledHistograms(['outcome'], WORK_BOUNDS);
  const cycles = new ConfigRepoCycles({
    config,
    changes,
    plugins,
    cipher,
    database,
    states: new ConfigRepoStates(database),
    files,
    parses,
    publisher: new Publisher({ config, changes, tools, locate }),
    publishing: new KeyedMutex(),
    dutyCycle: new DutyCycle(PUBLISHING),
    parse,
    open: openFiles,
    runWithMaterial: (material, work) => materials.runWithMaterial(material, work),
    isBeingPolled: ({ fingerprint }) => materials.isUnderWay(fingerprint, 'not counted'),
    materials,
    runner,
    kind: KIND,
    limits: READING,
    health,
    isPaused,
    onParsed: ({ repo, revision, outcome, errors, seconds }) => {
      parseTimes.add([outcome], seconds);
      const problems = errors.map(({ file, message }) => (file ? `${file}: ${message}` : message));
      parts.publish.configRepoParsed({ repo, revision, outcome, problems });
    },
    onFault: (failure, message) => log.error({ err: failure }, message),
  });
  parts.importedKeys.listen(() => cycles.retryRefused());
  const updates = { update: (id: string) => cycles.update(id), isUpdating: (id: string) => cycles.isUpdating(id) };
  return {
    routes: [
      ...configRepoRoutes({
        ...parts,
        ...updates,
        ...readingOf({ config, filesOf, parses, cycles }),
      }),
      openPreflight({ ...parts, parse }),
    ],
    updateConfigRepo: updates.update,
    isReading: (id) => cycles.isReading(id),
    parseTimes,
    start: () => cycles.start(),
    stop: () => cycles.stop(),
    close: () => pool.close(),
  };
}

interface RepoReadingParts {
  readonly config: Config;
  readonly filesOf: FilesOf;
  readonly parses: ConfigRepoParses;
  readonly cycles: ConfigRepoCycles;
}

/** How the routes read the state of config repos. */
function readingOf({ config, filesOf, parses, cycles }: RepoReadingParts) {
  return {
    definitionsIn: definitionsInForce,
    sourcesIn: (id: string, pipeline: string | undefined) => definitionLocations(config, id, filesOf, pipeline),
    parsesOf: (id: string, limit: number, before?: number) => parses.page(id, limit, before),
    parseInfoOf: (id: string) => parseInfo(cycles.knownOf(id)),
  };
}

function parseInfo({ known, pollFailure }: ReturnType<ConfigRepoCycles['knownOf']>): ParseInfo | undefined {
  if (known?.modification) {
    const { outcome, revision, goodRevision, modification, goodModification } = known;
    // A revision that was good until the rest of the configuration changed is not any more.
    const isGood = outcome !== 'refused' || revision !== goodRevision;
    return { latest: modification, good: isGood ? goodModification : null, error: errorText(known) };
  }
  return pollFailure && { latest: null, good: null, error: fetchErrorText(pollFailure) };
}
