// Reads one item of a field, the text between two commas: `5`, `MON-FRI`, `0/20`, `L-3W`, `6#3`.
import { CronFault, characterAt, illegalFormat, unexpectedCharacter } from './fault.ts';
import type { Field } from './fields.ts';
import type { DayRule } from './schedule.ts';

export type Item = { readonly kind: 'unspecified' } | { readonly kind: 'values'; readonly values: readonly number[] } | SpecialDay;

type SpecialDay = Exclude<DayRule, { readonly kind: 'daysOfMonth' | 'daysOfWeek' }>;

const wordLength = 3;

/** `text` is in upper case and not empty; offsets of faults count from its first character. */
export function readItem(text: string, field: Field): Item {
  if (/^L(-\d*)?W?$/.test(text)) return readLast(text, field);
  if (/^[A-Z]/.test(text)) return readNames(text, field);
  if (/^\d/.test(text)) return readNumbers(text, field);
  if (text.startsWith('*') || text.startsWith('/')) return readEvery(text, field);
  if (text.startsWith('?')) return readUnspecified(text, field);
  throw unexpectedCharacter(text, 0);
}

function readUnspecified(text: string, field: Field): Item {
  if (text.length > 1) throw new CronFault(`Illegal character after '?': ${characterAt(text, 1)}`, 1);
  if (field.name !== 'daysOfMonth' && field.name !== 'daysOfWeek') {
    throw new CronFault("'?' can only be specified for Day-of-Month or Day-of-Week.", 1);
  }
  return { kind: 'unspecified' };
}

function readEvery(text: string, field: Field): Item {
  if (text === '*') return spread(field.min, field.max, 1, field);
  if (text === '/') throw new CronFault("'/' must be followed by an integer.", 0);
  const slash = text.startsWith('*') ? 1 : 0;
  if (text[slash] !== '/') throw unexpectedCharacter(text, slash);
  const digits = text.slice(slash + 1);
  if (digits === '') throw new CronFault('Unexpected end of string.', slash + 1);
  if (!/^\d+$/.test(digits)) throw illegalFormat(`'${digits}' is not an integer`);
  const increment = Number(digits);
  // Quartz takes 10 for a number of one digit here, and its offsets are kept.
  checkIncrement(increment, field, slash + (increment > 10 ? 3 : 2));
  return spread(field.min, field.max, increment, field);
}

function readLast(text: string, field: Field): Item {
  switch (field.name) {
    case 'seconds':
    case 'minutes':
    case 'hours':
      throw new CronFault("'L' not expected in seconds, minutes or hours fields.", 0);
    case 'months':
    case 'years':
      throw optionNotValid('L', 0);
    case 'daysOfWeek':
      if (text === 'LW') throw optionNotValid('W', 1);
      expectEnd(text, 1);
      return valueItem(field.max);
    case 'daysOfMonth':
      return { kind: 'lastDay', daysBefore: readDaysBeforeLast(text), nearestWeekday: text.endsWith('W') };
  }
}

function readDaysBeforeLast(text: string): number {
  if (text[1] !== '-') return 0;
  const digits = digitsAt(text, 2);
  if (digits === '') throw illegalFormat("'L-' must be followed by an integer");
  if (Number(digits) > 30) throw new CronFault('Offset from last day must be <= 30', 2);
  return Number(digits);
}

function readNames(text: string, field: Field): Item {
  const word = wordAt(text, 0);
  if (field.names === undefined) throw new CronFault(`Illegal characters for this position: '${word}'`, 0);
  const start = numberOfWord(word, field, 0);
  const next = text[wordLength];
  if (next === '-') {
    const endPosition = wordLength + 1;
    const end = numberOfWord(wordAt(text, endPosition), field, endPosition);
    expectEnd(text, endPosition + wordLength);
    return spread(start, end, 1, field);
  }
  if (field.name === 'daysOfWeek' && next === '#') return { kind: 'nthWeekday', weekday: start, nth: readNth(text, wordLength + 1) };
  if (field.name === 'daysOfWeek' && next === 'L') {
    expectEnd(text, wordLength + 1);
    return { kind: 'lastWeekday', weekday: start };
  }
  expectEnd(text, wordLength);
  return valueItem(start);
}

function wordAt(text: string, position: number): string {
  const word = text.slice(position, position + wordLength);
  if (word.length < wordLength) throw illegalFormat(`'${text}' ends where a name of three letters is expected`);
  return word;
}

function numberOfWord(word: string, field: Field, position: number): number {
  const index = field.names?.all.indexOf(word) ?? -1;
  if (index === -1) throw new CronFault(`${field.names?.fault}: '${word}'`, position);
  return field.min + index;
}

function readNumbers(text: string, field: Field): Item {
  const digits = digitsAt(text, 0);
  const start = Number(digits);
  const position = digits.length;
  switch (text[position]) {
    case 'L':
      if (field.name !== 'daysOfWeek') throw optionNotValid('L', position);
      expectEnd(text, position + 1);
      return { kind: 'lastWeekday', weekday: inRange(start, field) };
    case 'W':
      if (field.name !== 'daysOfMonth') throw optionNotValid('W', position);
      if (start > field.max) {
        throw new CronFault(
          `The 'W' option does not make sense with values larger than ${field.max} (max number of days in a month)`,
          position,
        );
      }
      expectEnd(text, position + 1);
      return { kind: 'nearestWeekday', day: inRange(start, field) };
    case '#': {
      if (field.name !== 'daysOfWeek') throw optionNotValid('#', position);
      const nth = readNth(text, position + 1);
      return { kind: 'nthWeekday', weekday: inRange(start, field), nth };
    }
    case '-':
      return readRange(text, start, position, field);
    case '/': {
      if (position + 1 === text.length) throw new CronFault("'/' must be followed by an integer.", position);
      const increment = readIncrement(text, position);
      checkIncrement(increment, field, position + 2);
      return spread(start, field.max, increment, field);
    }
    default:
      expectEnd(text, position);
      return valueItem(inRange(start, field));
  }
}

function readRange(text: string, start: number, dash: number, field: Field): Item {
  const digits = digitsAt(text, dash + 1);
  if (digits === '') throw illegalFormat(`'${text}' has no number after '-'`);
  const afterRange = dash + 1 + digits.length;
  const stepped = text[afterRange] === '/';
  if (!stepped) expectEnd(text, afterRange);
  // The increment of a range has no upper limit in Quartz: one that leaves the range at once just names its start.
  return spread(start, Number(digits), stepped ? readIncrement(text, afterRange) : 1, field);
}

function readIncrement(text: string, slash: number): number {
  const digits = digitsAt(text, slash + 1);
  if (digits === '') throw illegalFormat(`'${text}' has no number after '/'`);
  const end = slash + 1 + digits.length;
  if (end < text.length) throw new CronFault(`Unexpected character '${characterAt(text, end)}' after '/'`, end);
  return Number(digits);
}

function checkIncrement(increment: number, field: Field, position: number): void {
  if (field.increment !== undefined && increment > field.increment.max) {
    throw new CronFault(`${field.increment.fault} : ${increment}`, position);
  }
}

function readNth(text: string, position: number): number {
  const digits = text.slice(position);
  const nth = /^\d+$/.test(digits) ? Number(digits) : 0;
  if (nth < 1 || nth > 5) throw new CronFault("A numeric value between 1 and 5 must follow the '#' option", position);
  return nth;
}

function spread(start: number, end: number, increment: number, field: Field): Item {
  inRange(start, field);
  inRange(end, field);
  if (increment === 0) throw illegalFormat('an increment must be at least 1');
  if (end < start && field.name === 'years') throw illegalFormat('the first year of a range must not be after its last');
  const span = field.max - field.min + 1;
  const stop = end < start ? end + span : end;
  const values: number[] = [];
  for (let value = start; value <= stop; value += increment) values.push(value > field.max ? value - span : value);
  return { kind: 'values', values };
}

function inRange(value: number, field: Field): number {
  if (value < field.min || value > field.max) throw new CronFault(field.rangeFault, -1);
  return value;
}

function valueItem(value: number): Item {
  return { kind: 'values', values: [value] };
}

function digitsAt(text: string, position: number): string {
  return /^\d*/.exec(text.slice(position))?.[0] ?? '';
}

function optionNotValid(option: string, position: number): CronFault {
  return new CronFault(`'${option}' option is not valid here. (pos=${position})`, position);
}

function expectEnd(text: string, position: number): void {
  if (position < text.length) throw unexpectedCharacter(text, position);
}
