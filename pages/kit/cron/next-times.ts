// When a timer goes off next, by the clock on the wall. Moments are those at which a clock in UTC would show the same.
import type { DayRule, Schedule } from './parse-cron.ts';

const SATURDAY = 7;
const SUNDAY = 1;
const HOUR = 3_600;

/** The next times after `wallClock`; fewer where the timer ends. */
export function nextTimes({ seconds, minutes, hours, days, months, years }: Schedule, wallClock: number, max: number): number[] {
  const from = new Date(wallClock);
  const found: number[] = [];
  for (const year of years) {
    if (year < from.getUTCFullYear()) continue;
    for (const month of months) {
      for (const day of daysIn(days, year, month)) {
        const date = Date.UTC(year, month - 1, day);
        if (date + 86_400_000 <= wallClock) continue;
        for (const hour of hours)
          for (const minute of minutes)
            for (const second of seconds) {
              const at = date + (hour * HOUR + minute * 60 + second) * 1_000;
              if (at > wallClock && found.push(at) === max) return found;
            }
      }
    }
  }
  return found;
}

/** The time on the clock in a time zone. */
export function wallClockIn(timeZone: string | undefined, instant: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const year = part('year');
  return Date.UTC(year < 100 ? 2000 + year : year, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** Ascending, each once. */
export function daysIn(rules: readonly DayRule[], year: number, month: number): number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const weekdayOf = (day: number): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
  const all = Array.from({ length }, (_, index) => index + 1);
  const nearest = (day: number): number[] => {
    if (day < 1 || day > length) return [];
    const weekday = weekdayOf(day);
    if (weekday === SATURDAY) return [day === 1 ? 3 : day - 1];
    if (weekday === SUNDAY) return [day === length ? day - 2 : day + 1];
    return [day];
  };
  const daysOf = (rule: DayRule): readonly number[] => {
    switch (rule.is) {
      case 'days-of-month':
        return rule.days.filter((day) => day <= length);
      case 'weekday-near':
        return nearest(rule.day);
      case 'last-day':
        return rule.isWeekday ? nearest(length - rule.before) : all.filter((day) => day === length - rule.before);
      case 'weekdays':
        return all.filter((day) => rule.weekdays.includes(weekdayOf(day)));
      case 'last-weekday':
        return all.filter((day) => weekdayOf(day) === rule.weekday).slice(-1);
      case 'nth-weekday':
        return all.filter((day) => weekdayOf(day) === rule.weekday).slice(rule.nth - 1, rule.nth);
    }
  };
  return [...new Set(rules.flatMap(daysOf))].sort((one, other) => one - other);
}
