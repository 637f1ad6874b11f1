// Lists the materials that have waited long for a slot. Time during which no poll may begin does not count: no check runs then.

import { longDescription } from '../catalogue/messages.ts';
import type { PollSchedule } from './poll-schedule.ts';

export interface LongWait {
  readonly message: string;
  readonly detail: string;
}

/** To be checked once a minute. */
const LONG_WAIT_MINUTES = 5;
const MAX_NAMED = 10;

type ScheduledPoll = Pick<PollSchedule, 'material' | 'dueAt' | 'isDue' | 'isRunning'>;

export class WaitingPolls {
  /** Since when each waits, and how many checks ago it was first seen to. */
  #waiting = new Map<ScheduledPoll, { readonly dueAt: number | undefined; readonly checks: number }>();

  check(schedules: Iterable<ScheduledPoll>): LongWait | undefined {
    const before = this.#waiting;
    const running: ScheduledPoll[] = [];
    let long = 0;
    this.#waiting = new Map();
    for (const schedule of schedules) {
      const { dueAt, isDue, isRunning } = schedule;
      if (isRunning) running.push(schedule);
      else if (isDue) {
        const known = before.get(schedule);
        const checks = known?.dueAt === dueAt ? known!.checks + 1 : 0;
        if (checks >= LONG_WAIT_MINUTES) long++;
        this.#waiting.set(schedule, { dueAt, checks });
      }
    }
    return long === 0 ? undefined : describeWait(long, running);
  }
}

function describeWait(count: number, running: readonly ScheduledPoll[]): LongWait {
  const named = running.slice(0, MAX_NAMED).map(({ material }) => longDescription(material));
  const more = running.length > MAX_NAMED ? ` and ${running.length - MAX_NAMED} more` : '';
  return {
    message: 'Material updates wait for a place:',
    detail: `${count} ${count === 1 ? 'material is' : 'materials are'} overdue by more than ${LONG_WAIT_MINUTES} minutes, because polls of others take long. Currently running - ${named.join('; ')}${more}`,
  };
}
