// The schedule of a cron expression: the numbers of each field and the rules for the days.

/** Weekdays count as in Quartz: 1 is Sunday, 7 is Saturday. */
export type DayRule =
  | { readonly kind: 'daysOfMonth'; readonly days: readonly number[] }
  | { readonly kind: 'nearestWeekday'; readonly day: number }
  | { readonly kind: 'lastDay'; readonly daysBefore: number; readonly nearestWeekday: boolean }
  | { readonly kind: 'daysOfWeek'; readonly weekdays: readonly number[] }
  | { readonly kind: 'lastWeekday'; readonly weekday: number }
  | { readonly kind: 'nthWeekday'; readonly weekday: number; readonly nth: number };

/** Every list is ascending and without repetition; a day fires when any of the rules names it. */
export interface CronSchedule {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly DayRule[];
  readonly months: readonly number[];
  readonly years: readonly number[];
}
