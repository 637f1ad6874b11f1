// A timer in words: `at 22:00, Monday to Friday`.
import type { DayRule, Schedule } from './parse-cron.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const NTH = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
/** More times of a day than this are described by their fields. */
const MAX_TIMES = 6;

export function describeCron({ seconds, minutes, hours, days, months, years }: Schedule): string {
  const parts = [describeTimes(seconds, minutes, hours), joinList(days.map(describeDays), 'and')];
  if (months.length < 12) parts.push(`in ${rangeOrList(months, (month) => MONTHS[month - 1]!)}`);
  if (years.length < 130) parts.push(`in ${rangeOrList(years, String)}`);
  return parts.join(', ');
}

function describeTimes(seconds: readonly number[], minutes: readonly number[], hours: readonly number[]): string {
  const count = seconds.length * minutes.length * hours.length;
  if (count <= MAX_TIMES) return `at ${joinList(times(seconds, minutes, hours), 'and')}`;
  const within =
    hours.length === 24 ? '' : `, in the ${hours.length === 1 ? 'hour' : 'hours'} ${rangeOrList(hours, (hour) => clock(hour, 0))}`;
  if (seconds.length > 1)
    return `${describeSteps(seconds, 60, 'second')}${minutes.length === 60 ? '' : `, ${describeSteps(minutes, 60, 'minute')}`}${within}`;
  return `${describeSteps(minutes, 60, 'minute')}${within}`;
}

function times(seconds: readonly number[], minutes: readonly number[], hours: readonly number[]): string[] {
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => (second === 0 ? clock(hour, minute) : `${clock(hour, minute)}:${twoDigits(second)}`)),
    ),
  );
}

/** `every 15 minutes` where they are spread evenly over the whole. */
function describeSteps(values: readonly number[], span: number, unit: string): string {
  const step = values.length === 1 ? span : values[1]! - values[0]!;
  const isEven = values[0] === 0 && values.length * step === span && values.every((value, index) => value === index * step);
  if (isEven && step === 1) return `every ${unit}`;
  if (isEven && values.length > 1) return `every ${step} ${unit}s`;
  if (values.length === 1 && unit === 'minute') return values[0] === 0 ? 'every hour' : `${values[0]} minutes past every hour`;
  return `at the ${unit}s ${joinList(values.map(String), 'and')}`;
}

function describeDays(rule: DayRule): string {
  switch (rule.is) {
    case 'days-of-month':
      return rule.days.length === 31 ? 'every day' : `on the ${joinList(rule.days.map(ordinal), 'and')} of the month`;
    case 'weekday-near':
      return `on the weekday nearest to the ${ordinal(rule.day)} of the month`;
    case 'last-day': {
      const day = rule.before === 0 ? 'last day' : `day ${rule.before} before the last`;
      return rule.isWeekday ? `on the weekday nearest to the ${day} of the month` : `on the ${day} of the month`;
    }
    case 'weekdays':
      return rule.weekdays.length === 7 ? 'every day' : rangeOrList(rule.weekdays, nameOf);
    case 'last-weekday':
      return `on the last ${nameOf(rule.weekday)} of the month`;
    case 'nth-weekday':
      return `on the ${NTH[rule.nth]} ${nameOf(rule.weekday)} of the month`;
  }
}

function nameOf(weekday: number): string {
  return WEEKDAYS[weekday - 1]!;
}

/** `Monday to Friday` where three or more follow each other. */
function rangeOrList(values: readonly number[], text: (value: number) => string): string {
  const [first, last] = [values[0]!, values.at(-1)!];
  if (values.length > 2 && last - first === values.length - 1) return `${text(first)} to ${text(last)}`;
  return joinList(values.map(text), 'and');
}

function joinList(texts: readonly string[], word: string): string {
  if (texts.length < 2) return texts[0] ?? '';
  return `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

function ordinal(number: number): string {
  const ordinals = (ordinalRules ??= new Intl.PluralRules('en', { type: 'ordinal' })); // only when needed: it takes as long as drawing a page
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }[ordinals.select(number)];
  return `${number}${ending}`;
}

let ordinalRules: Intl.PluralRules | undefined;

function clock(hour: number, minute: number): string {
  return `${twoDigits(hour)}:${twoDigits(minute)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
