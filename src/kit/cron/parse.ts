// Reads a Quartz cron expression into a schedule, or returns the problem and its position.
import { CronFault, illegalFormat } from './fault.ts';
import { type Field, type FieldName, fields, requiredFields } from './fields.ts';
import { type Item, readItem } from './item.ts';
import type { CronSchedule, DayRule } from './schedule.ts';

export type { CronSchedule } from './schedule.ts';

/** The offset counts from the start of the item that is wrong; it is -1 when no place is to blame. */
export type ParsedCron =
  | { readonly ok: true; readonly schedule: CronSchedule }
  | { readonly ok: false; readonly offset: number; readonly reason: string };

type FieldItems = ReadonlyMap<FieldName, readonly Item[]>;

export function parseCron(expression: string): ParsedCron {
  try {
    return { ok: true, schedule: scheduleOf(readFields(expression)) };
  } catch (error) {
    if (error instanceof CronFault) return { ok: false, offset: error.offset, reason: error.message };
    throw error;
  }
}

/** Each item takes time that others wait for. */
const MAX_EXPRESSION_LENGTH = 250_000;

function readFields(expression: string): FieldItems {
  if (expression.length > MAX_EXPRESSION_LENGTH) throw illegalFormat(`longer than ${MAX_EXPRESSION_LENGTH} characters`);
  const upperCase = expression.toUpperCase();
  const terms = upperCase.split(/\s+/).filter((term) => term !== '');
  if (terms.length > fields.length) throw new CronFault(`Invalid expression has too many terms: ${upperCase}`, -1);

  const itemsOf = new Map<FieldName, readonly Item[]>();
  for (const [index, field] of fields.entries()) {
    const term = terms[index] ?? (field.name === 'years' ? '*' : undefined);
    if (term === undefined) break;
    const items = readField(term, field);
    if (field.name === 'daysOfWeek' && isUnspecified(items) && isUnspecified(itemsOf.get('daysOfMonth'))) {
      throw new CronFault("'?' can only be specified for Day-of-Month -OR- Day-of-Week.", 1);
    }
    itemsOf.set(field.name, items);
  }

  if (terms.length < requiredFields) throw new CronFault('Unexpected end of expression.', expression.length);
  if (!isUnspecified(itemsOf.get('daysOfMonth')) && !isUnspecified(itemsOf.get('daysOfWeek'))) {
    throw new CronFault('Support for specifying both a day-of-week AND a day-of-month parameter is not implemented.', 0);
  }
  return itemsOf;
}

function readField(term: string, field: Field): readonly Item[] {
  const texts = term.split(',').filter((text) => text !== '');
  if (field.name === 'daysOfWeek') refuseSpecialDayInList(term);
  if (texts.length === 0) throw illegalFormat(`'${term}' names no value`);
  const items = texts.map((text) => readItem(text, field));
  if (items.length > 1 && isUnspecified(items)) throw illegalFormat("'?' cannot stand in a list");
  return items;
}

function refuseSpecialDayInList(term: string): void {
  if (term.includes('L') && term.includes(',')) {
    throw new CronFault("Support for specifying 'L' with other days of the week is not implemented", -1);
  }
  if (term.indexOf('#') !== term.lastIndexOf('#')) {
    throw new CronFault('Support for specifying multiple "nth" days is not implemented.', -1);
  }
}

function isUnspecified(items: readonly Item[] | undefined): boolean {
  return items?.some((item) => item.kind === 'unspecified') ?? false;
}

function scheduleOf(itemsOf: FieldItems): CronSchedule {
  return {
    seconds: valuesOf(itemsOf, 'seconds'),
    minutes: valuesOf(itemsOf, 'minutes'),
    hours: valuesOf(itemsOf, 'hours'),
    days: dayRulesOf(itemsOf),
    months: valuesOf(itemsOf, 'months'),
    years: valuesOf(itemsOf, 'years'),
  };
}

function valuesOf(itemsOf: FieldItems, name: FieldName): readonly number[] {
  const values = new Set<number>();
  for (const item of itemsOf.get(name) ?? []) {
    if (item.kind === 'values') for (const value of item.values) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

function dayRulesOf(itemsOf: FieldItems): readonly DayRule[] {
  // Keyed by their content, so that a list of a million times the same day stays one rule.
  const rules = new Map<string, DayRule>();
  const add = (rule: DayRule) => rules.set(JSON.stringify(rule), rule);
  const days = valuesOf(itemsOf, 'daysOfMonth');
  const weekdays = valuesOf(itemsOf, 'daysOfWeek');
  if (days.length > 0) add({ kind: 'daysOfMonth', days });
  if (weekdays.length > 0) add({ kind: 'daysOfWeek', weekdays });
  for (const name of ['daysOfMonth', 'daysOfWeek'] as const) {
    for (const item of itemsOf.get(name) ?? []) {
      if (item.kind !== 'values' && item.kind !== 'unspecified') add(item);
    }
  }
  return [...rules.values()];
}
