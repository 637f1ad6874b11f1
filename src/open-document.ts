// Joins the thread that keeps the configuration document to the server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Changes } from './config/change.ts';
import type { Config } from './config/current.ts';
import { Documents } from './document/projection/documents.ts';
import type { ThreadSettings } from './document/projection/messages.ts';
import { Projection } from './document/projection/projection.ts';
import type { HealthMessages } from './health/messages.ts';
import { readObject } from './kit/git/read-object.ts';
import type { Log } from './kit/log.ts';
import { openHistoryIndex } from './store/history-index.ts';

export interface OpenDocument {
  readonly projection: Projection;
  readonly documents: Documents;
  /** The git repository of the history. */
  readonly repository: string;
  /** Makes up for what was not recorded before the server stopped, or was lost since. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Parts {
  readonly dataDir: string;
  readonly config: Config;
  readonly changes: Changes;
  readonly health: HealthMessages;
  readonly log: Log;
  /** How long the thread stays with nothing to do. */
  readonly idleMs?: number;
}

const THREAD = new URL('./projection-thread.ts', import.meta.url);
const TROUBLE = 'the configuration document';

export function openDocument({ dataDir, config, changes, health, log, idleMs }: Parts): OpenDocument {
  const directory = join(dataDir, 'history');
  const repository = join(directory, 'config.git');
  const settings: ThreadSettings = { database: join(dataDir, 'slipway.db'), index: join(directory, 'index.db'), repository };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const index = openHistoryIndex(settings.index);
  const revision = () => config.revision;
  const projectionParts = {
    startThread: () => new Worker(THREAD, { workerData: settings, resourceLimits: { maxYoungGenerationSizeMb: 16 } }),
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
  return {
    projection,
    documents: new Documents(projection, index, repository, revision),
    repository,
    start: async () => {
      const last = index.last();
      projection.start({ isHistoryWhole: !last || (await readObject(repository, last.commit)) !== undefined });
    },
    close: async () => {
      await projection.stop();
      index.close();
    },
  };
}
