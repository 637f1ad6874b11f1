// Makes backups at the times of the schedule: as it is now, by the clock on the wall of the server.
import type { HealthMessages } from '../health/messages.ts';
import type { AddedJob, PeriodicRunner } from '../kit/concurrency/periodic/periodic.ts';
import { nextFiring } from '../kit/cron/next.ts';
import { parseCron } from '../kit/cron/parse.ts';
import { systemTimeZone } from '../kit/cron/zone.ts';
import { TIMER } from './record.ts';

export interface ScheduleParts {
  readonly runner: PeriodicRunner;
  readonly health: HealthMessages;
  readonly schedule: () => string | null;
  readonly timeZone?: () => string;
  makeBackup(user: string, via: 'TIMER'): Promise<unknown>;
}

const ABOUT = 'backup schedule';

/** Ask it to `refresh` when the schedule has changed. A backup that came due while no server made backups is not made up for. */
export function scheduleBackups({ runner, health, schedule, timeZone = systemTimeZone, makeBackup }: ScheduleParts): AddedJob {
  const next = (after: number) => {
    const expression = schedule()?.trim() ?? '';
    const outlook = expression === '' ? {} : outlookOf(expression, after, timeZone());
    if (outlook.trouble === undefined) health.clear(ABOUT);
    else health.raise(ABOUT, 'ERROR', 'Unable to schedule backup job.', outlook.trouble);
    return outlook.time;
  };
  // Backups go on in maintenance mode: the mode is often used for them.
  const job = runner.add({ name: 'scheduled backup', when: { next }, runsWhilePaused: true, run: () => makeBackup(TIMER, 'TIMER') });
  return {
    refresh: () => job.refresh(),
    remove: async () => {
      await job.remove();
      health.clear(ABOUT);
    },
  };
}

/** When the next backup is due, or why none ever will be. */
function outlookOf(expression: string, after: number, timeZone: string): { readonly time?: number; readonly trouble?: string } {
  const cron = parseCron(expression);
  if (!cron.ok) return { trouble: `Invalid cron syntax for backup configuration at offset ${cron.offset}: ${cron.reason}` };
  const time = nextFiring(cron.schedule, new Date(after), timeZone)?.getTime();
  return time === undefined ? { trouble: `The schedule '${expression}' never fires: it has no time in the future.` } : { time };
}
