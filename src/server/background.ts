// Background work: tasks that one server does for all that share its database. A server can take it over, lose it, and take it over again.
import { KeyedMutex } from '../kit/concurrency/keyed-mutex.ts';
import type { PeriodicRunner } from '../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../kit/log.ts';

export interface BackgroundWork {
  /** Begins from the state in the database, when no other server does any of the work any more. When it fails nothing has begun. */
  start(): Promise<void>;
  /** Returns when nothing of it is under way here. */
  stop(): Promise<void>;
}

export interface BackgroundParts {
  readonly runner: Pick<PeriodicRunner, 'startKeeperJobs' | 'stopKeeperJobs'>;
  readonly backup: BackgroundWork;
  readonly materials: BackgroundWork;
  readonly mail: BackgroundWork;
  /** Outgoing webhooks. */
  readonly events: BackgroundWork;
  readonly configRepos: BackgroundWork;
  readonly builds: BackgroundWork;
  readonly log: Log;
}

export function backgroundWork({ runner, log, ...parts }: BackgroundParts): BackgroundWork {
  const { backup, materials, mail, events, configRepos, builds } = parts;
  const mutex = new KeyedMutex();
  let isStarted = false;
  const begin = async () => {
    await backup.start();
    await materials.start();
    await mail.start();
    await events.start();
    await builds.start();
    runner.startKeeperJobs();
    await configRepos.start();
  };
  // Config repos and builds ask materials for polls, so they end before these. Periodic jobs wait for backups, so backups end first.
  const ends = {
    backups: () => backup.stop(),
    'periodic work': () => runner.stopKeeperJobs(),
    builds: () => builds.stop(),
    'config repos': () => configRepos.stop(),
    materials: () => materials.stop(),
    mail: () => mail.stop(),
    webhooks: () => events.stop(),
  };
  const end = async () => {
    for (const [part, stop] of Object.entries(ends))
      await stop().catch((failure: unknown) => log.error({ err: failure, part }, 'background work did not end as it should'));
  };
  return {
    start: () =>
      mutex.run('', async () => {
        if (isStarted) return;
        try {
          await begin();
        } catch (failure) {
          await end();
          throw failure;
        }
        isStarted = true;
      }),
    stop: () =>
      mutex.run('', async () => {
        if (isStarted) await end();
        isStarted = false;
      }),
  };
}
