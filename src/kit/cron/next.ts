// Finds the next instant at which a schedule fires, in a time zone.
import { firingDays } from './days.ts';
import type { CronSchedule } from './schedule.ts';
import { instantOf, latestWallClock } from './zone.ts';

/**
 * The first firing strictly after `after`, or undefined when there is none until the end of 2099.
 * A time the clock skips fires at the first instant after the gap, a time the clock shows twice fires the first time only.
 */
export function nextFiring(schedule: CronSchedule, after: Date, timeZone: string): Date | undefined {
  let wallClock: number | undefined = latestWallClock(after.getTime(), timeZone);
  for (;;) {
    wallClock = nextWallClock(schedule, wallClock);
    if (wallClock === undefined) return undefined;
    const instant = instantOf(wallClock, timeZone);
    // Always so in a zone that leaves its clock alone for two days; without the check any other would fire for ever.
    if (instant > after.getTime()) return new Date(instant);
  }
}

function nextWallClock(schedule: CronSchedule, wallClock: number): number | undefined {
  const from = new Date(wallClock);
  const today = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  const secondOfToday = (wallClock - today) / 1000;
  for (const year of schedule.years) {
    if (year < from.getUTCFullYear()) continue;
    for (const month of schedule.months) {
      if (Date.UTC(year, month, 1) <= today) continue;
      for (const day of firingDays(schedule.days, year, month)) {
        const date = Date.UTC(year, month - 1, day);
        if (date < today) continue;
        const secondOfDay = nextSecondOfDay(schedule, date === today ? secondOfToday : -1);
        if (secondOfDay !== undefined) return date + secondOfDay * 1000;
      }
    }
  }
  return undefined;
}

function nextSecondOfDay(schedule: CronSchedule, after: number): number | undefined {
  for (const hour of schedule.hours) {
    if (hour * 3600 + 3599 <= after) continue;
    for (const minute of schedule.minutes) {
      const startOfMinute = hour * 3600 + minute * 60;
      if (startOfMinute + 59 <= after) continue;
      const second = schedule.seconds.find((candidate) => startOfMinute + candidate > after);
      if (second !== undefined) return startOfMinute + second;
    }
  }
  return undefined;
}
