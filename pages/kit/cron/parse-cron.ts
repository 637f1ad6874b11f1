// Reads the cron form of timers: seconds, minutes, hours, day of month, month, day of week, and maybe a year.

/** Weekdays count from 1, which is Sunday. */
export type DayRule =
  | { readonly is: 'days-of-month'; readonly days: readonly number[] }
  | { readonly is: 'weekday-near'; readonly day: number }
  | { readonly is: 'last-day'; readonly before: number; readonly isWeekday: boolean }
  | { readonly is: 'weekdays'; readonly weekdays: readonly number[] }
  | { readonly is: 'last-weekday'; readonly weekday: number }
  | { readonly is: 'nth-weekday'; readonly weekday: number; readonly nth: number };

export interface Schedule {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly DayRule[];
  readonly months: readonly number[];
  readonly years: readonly number[];
}

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const SIXTY: Field = { min: 0, max: 59 };
const HOURS: Field = { min: 0, max: 23 };
const DAYS: Field = { min: 1, max: 31 };
const MONTHS: Field = { min: 1, max: 12, names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] };
const WEEKDAYS: Field = { min: 1, max: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] };
const YEARS: Field = { min: 1970, max: 2099 };

/** Undefined: it is none. Why, the server says when it is saved. */
export function parseCron(expression: string): Schedule | undefined {
  const terms = expression.toUpperCase().split(/\s+/).filter(Boolean);
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = '', year = '*'] = terms;
  if (terms.length < 6 || terms.length > 7 || (day === '?') === (weekday === '?')) return undefined;
  const seconds = valuesIn(second, SIXTY);
  const minutes = valuesIn(minute, SIXTY);
  const hours = valuesIn(hour, HOURS);
  const months = valuesIn(month, MONTHS);
  const years = valuesIn(year, YEARS);
  const days = weekday === '?' ? daysOfMonth(day) : daysOfWeek(weekday);
  if (!seconds || !minutes || !hours || !months || !years || !days) return undefined;
  return { seconds, minutes, hours, days, months, years };
}

function daysOfMonth(term: string): readonly DayRule[] | undefined {
  const rules: DayRule[] = [];
  const plain: string[] = [];
  for (const item of term.split(',')) {
    const last = /^L(?:-(\d{1,2}))?(W)?$/.exec(item);
    const near = /^(\d{1,2})W$/.exec(item);
    if (last) rules.push({ is: 'last-day', before: Number(last[1] ?? 0), isWeekday: last[2] !== undefined });
    else if (near) rules.push({ is: 'weekday-near', day: Number(near[1]) });
    else plain.push(item);
  }
  if (plain.length === 0) return rules;
  const days = valuesIn(plain.join(','), DAYS);
  return days && [{ is: 'days-of-month', days }, ...rules];
}

function daysOfWeek(term: string): readonly DayRule[] | undefined {
  if (term === 'L') return [{ is: 'weekdays', weekdays: [7] }];
  const special = /^(\w{3}|\d)(?:(L)|#([1-5]))$/.exec(term);
  if (!special) {
    const weekdays = valuesIn(term, WEEKDAYS);
    return weekdays && [{ is: 'weekdays', weekdays }];
  }
  const weekday = numberIn(special[1]!, WEEKDAYS);
  if (weekday === undefined) return undefined;
  return special[2] ? [{ is: 'last-weekday', weekday }] : [{ is: 'nth-weekday', weekday, nth: Number(special[3]) }];
}

function valuesIn(term: string, field: Field): readonly number[] | undefined {
  const all = new Set<number>();
  for (const item of term.split(',')) {
    const values = itemValues(item, field);
    if (values === undefined) return undefined;
    for (const value of values) all.add(value);
  }
  return [...all].sort((one, other) => one - other);
}

/** `5`, `MON-FRI`, `0/20`, `8-18/2`, `*`. */
function itemValues(item: string, field: Field): readonly number[] | undefined {
  const match = /^(?:(\*)|(\w+?)(?:-(\w+))?)?(?:\/(\d+))?$/.exec(item);
  if (!match || item === '') return undefined;
  const [, , from, to, step] = match;
  const { min, max } = field;
  const start = from === undefined ? min : numberIn(from, field);
  const isRange = from === undefined || to !== undefined || step !== undefined;
  const end = to === undefined ? (isRange ? max : start) : numberIn(to, field);
  const by = Number(step ?? 1);
  if (start === undefined || end === undefined || by < 1) return undefined;
  const span = max - min + 1;
  const values: number[] = [];
  for (let value = start; value <= (end < start ? end + span : end); value += by) values.push(value > max ? value - span : value);
  return values;
}

function numberIn(text: string, { min, max, names = [] }: Field): number | undefined {
  const named = names.indexOf(text);
  const number = named >= 0 ? min + named : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}
