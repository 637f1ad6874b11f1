// Finds the days of one month on which a schedule fires.
import type { DayRule } from './schedule.ts';

interface Month {
  readonly length: number;
  weekdayOf(day: number): number;
}

const sunday = 1;
const saturday = 7;

/** Months count from 1. The days are ascending and without repetition. */
export function firingDays(rules: readonly DayRule[], year: number, month: number): readonly number[] {
  const calendar = monthOf(year, month);
  const days = new Set(rules.flatMap((rule) => daysOf(rule, calendar)));
  return [...days].sort((a, b) => a - b);
}

function monthOf(year: number, month: number): Month {
  const daysFromSunday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return {
    length: new Date(Date.UTC(year, month, 0)).getUTCDate(),
    weekdayOf: (day) => ((daysFromSunday + day - 1) % 7) + 1,
  };
}

function daysOf(rule: DayRule, month: Month): readonly number[] {
  switch (rule.kind) {
    case 'daysOfMonth':
      return rule.days.filter((day) => day <= month.length);
    case 'nearestWeekday':
      return nearestWeekday(rule.day, month);
    case 'lastDay': {
      const day = month.length - rule.daysBefore;
      if (rule.nearestWeekday) return nearestWeekday(day, month);
      return day < 1 ? [] : [day];
    }
    case 'daysOfWeek':
      return rule.weekdays.flatMap((weekday) => allOf(weekday, month));
    case 'lastWeekday':
      return allOf(rule.weekday, month).slice(-1);
    case 'nthWeekday':
      return allOf(rule.weekday, month).slice(rule.nth - 1, rule.nth);
  }
}

function allOf(weekday: number, month: Month): readonly number[] {
  const days: number[] = [];
  const first = ((weekday - month.weekdayOf(1) + 7) % 7) + 1;
  for (let day = first; day <= month.length; day += 7) days.push(day);
  return days;
}

/** Never leaves the month, so the first may move forward and the last back by two days. */
function nearestWeekday(day: number, month: Month): readonly number[] {
  if (day < 1 || day > month.length) return [];
  switch (month.weekdayOf(day)) {
    case saturday:
      return [day === 1 ? 3 : day - 1];
    case sunday:
      return [day === month.length ? day - 2 : day + 1];
    default:
      return [day];
  }
}
