// Raises a health message when the script after backups could not be run, before a backup fails because of it.
import type { HealthMessages } from '../../health/messages.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';

interface Parts {
  readonly runner: PeriodicRunner;
  readonly health: HealthMessages;
  /** The script that is configured now, if any. */
  readonly script: () => string | undefined;
  problemWith(script: string): string | undefined;
}

const ABOUT = 'post backup script';
const PERIOD_MS = 10_000;

/** Returns a function to call when the configuration has changed. */
export function watchScript({ runner, health, script, problemWith }: Parts): () => void {
  const check = () => {
    const path = script();
    const problem = path === undefined ? undefined : problemWith(path);
    if (problem === undefined) health.clear(ABOUT);
    else health.raise(ABOUT, 'WARNING', 'The post backup script cannot be run.', `post_backup_script: ${path}. ${problem}`);
  };
  // Any server may have to make the next backup, and then the script has to be there.
  const when = { every: PERIOD_MS, firstAfter: 0 };
  runner.add({ name: 'post backup script', when, where: 'everywhere', runsWhilePaused: true, run: check });
  return check;
}
