// Joins the thread that keeps the configuration document to the server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import { Documents } from '../../document/projection/documents.ts';
import { HistoryGuard } from '../../document/projection/history-guard.ts';
import type { ThreadSettings } from '../../document/projection/messages.ts';
import { Projection } from '../../document/projection/projection.ts';
import type { HealthMessages } from '../../health/messages.ts';
import { startThread } from '../../kit/concurrency/threads/thread.ts';
import { HistoryReader } from '../../kit/git/history.ts';
import type { Log } from '../../kit/log.ts';
import { ownProgram } from '../../kit/process/own-program.ts';
import type { DatabaseSource } from '../../store/source.ts';
import { openHistoryIndex } from '../../store/sqlite/history-index.ts';

export interface OpenDocument {
  readonly projection: Projection;
  readonly documents: Documents;
  /** The git repository of the history. */
  readonly repository: string;
  /** Records the revisions that were not recorded before the server stopped, or were lost since. */
  start(): Promise<void>;
  /** To be called when the history could not be read. */
  suspectHistory(): void;
  close(): Promise<void>;
}

interface Parts {
  readonly dataDir: string;
  /** The database of the change log; without one, the embedded one of the data directory. */
  readonly source?: DatabaseSource;
  readonly config: Config;
  readonly changes: Changes;
  readonly health: HealthMessages;
  readonly log: Log;
  /** How long the thread stays with nothing to do. */
  readonly idleMs?: number;
}

const THREAD = ownProgram('server/threads/projection.ts');
const TROUBLE = 'the configuration document';
const DAMAGE = 'the history of the configuration';

export function openDocument({ dataDir, source, config, changes, health, log, idleMs }: Parts): OpenDocument {
  const directory = join(dataDir, 'history');
  const repository = join(directory, 'config.git');
  const database = source ?? { sqlite: join(dataDir, 'slipway.db') };
  const settings: ThreadSettings = { database, index: join(directory, 'index.db'), repository };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const index = openHistoryIndex(settings.index);
  const reader = new HistoryReader(repository);
  const revision = () => config.revision;
  const projectionParts = {
    startThread: () => startThread(THREAD, { workerData: settings, resourceLimits: { maxYoungGenerationSizeMb: 3 } }),
    revision,
    recorded: () => index.last()?.revision ?? 0,
    onTrouble: (failure: unknown) => {
      log.error({ err: failure }, 'the configuration document and its history cannot be kept up to date');
      health.raise(
        TROUBLE,
        'ERROR',
        'The configuration document cannot be kept up to date',
        `Changes are saved, but config.xml and the history in git do not show them: ${(failure as Error).message}`,
      );
    },
    onRecovery: () => health.clear(TROUBLE),
  };
  const projection = new Projection(projectionParts, idleMs);
  changes.listen(() => projection.wake());
  const guard = new HistoryGuard({
    repository,
    projection,
    onDamage: (what) => {
      log.warn({ what }, 'the history of the configuration is damaged and is written anew');
      const detail = `It is written anew from the change log, with the same commits; nothing is lost. What was found: ${what}`;
      health.raise(DAMAGE, 'WARNING', 'The history of the configuration is damaged', detail);
    },
    onRepaired: () => {
      log.info({}, 'the history of the configuration is whole again');
      health.clear(DAMAGE);
    },
    onFailure: (failure) => log.error({ err: failure }, 'the history of the configuration cannot be checked or written anew'),
  });
  return {
    projection,
    documents: new Documents({ projection, index, repository: reader, revision, onDamage: (what) => guard.repair(what) }),
    repository,
    start: async () => {
      const last = index.last();
      projection.start();
      if (!last) return;
      if (await isReadable(reader, last.commit)) guard.look();
      else void guard.repair('its last commit cannot be read.');
    },
    suspectHistory: () => guard.look(),
    close: async () => {
      await guard.stop();
      await projection.stop();
      index.close();
    },
  };
}

async function isReadable(repository: HistoryReader, commit: string): Promise<boolean> {
  try {
    return await repository.has(commit);
  } catch {
    return false; // a history that cannot be read is written anew
  }
}
