// Sees to it that the files of the data directory are the server's alone, and informs administrators where it cannot.
import type { HealthMessages } from '../../health/messages.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import { makeAllPrivate } from '../../store/files/private-files.ts';

interface Parts {
  readonly dataDir: string;
  readonly runner: PeriodicRunner;
  readonly health: HealthMessages;
  readonly openToOthers: readonly string[];
}

const FIRST_AFTER_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;
const MAX_NAMED = 10;

export function keepFilesPrivate({ dataDir, runner, health, openToOthers }: Parts): void {
  if (openToOthers.length > 0) {
    const more = openToOthers.length > MAX_NAMED ? ` and ${openToOthers.length - MAX_NAMED} more` : '';
    health.raise(
      'files that others can read',
      'WARNING',
      'Other users of this machine can read files of the data directory',
      `They belong to another user, so the server cannot change their modes: ${openToOthers.slice(0, MAX_NAMED).join(', ')}${more}. As their owner, run: chmod -R go-rwx ${dataDir}`,
    );
  }
  runner.add({
    name: 'modes of files',
    when: { every: DAY_MS, firstAfter: FIRST_AFTER_MS },
    where: 'everywhere',
    runsWhilePaused: true,
    run: (signal) => makeAllPrivate(dataDir, signal),
  });
}
