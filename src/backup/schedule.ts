// Makes backups at the times of the schedule: as it is now, by the clock on the wall of the server.
import type { HealthMessages } from '../health/messages.ts';
import { nextFiring } from '../kit/cron/next.ts';
import { parseCron } from '../kit/cron/parse.ts';
import type { AddedJob, PeriodicRunner } from '../kit/periodic.ts';
import { TIMER } from './record.ts';

export interface ScheduleParts {
  readonly runner: PeriodicRunner;
  readonly health: HealthMessages;
  readonly schedule: () => string | null;
  readonly timeZone?: () => string;
  makeBackup(user: string, via: 'TIMER'): Promise<unknown>;
}

const ABOUT = 'backup schedule';

/** Ask it to `refresh` when the schedule has changed. What came due while the server was down is not made up for. */
export function scheduleBackups({ runner, health, schedule, timeZone = serverZone, makeBackup }: ScheduleParts): AddedJob {
  const next = (after: number) => {
    const expression = schedule()?.trim() ?? '';
    const verdict = expression === '' ? undefined : parseCron(expression);
    if (!verdict || verdict.ok) health.clear(ABOUT);
    else {
      const detail = `Invalid cron syntax for backup configuration at offset ${verdict.offset}: ${verdict.reason}`;
      health.raise(ABOUT, 'ERROR', 'Unable to schedule backup job.', detail);
    }
    return verdict?.ok ? nextFiring(verdict.schedule, new Date(after), timeZone())?.getTime() : undefined;
  };
  // Backups go on in maintenance mode: it is what the mode is often for.
  return runner.add({ name: 'scheduled backup', when: { next }, runsWhilePaused: true, run: () => makeBackup(TIMER, 'TIMER') });
}

function serverZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
