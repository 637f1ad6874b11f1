// Checks which cron expressions are refused, with which text at which offset, and the fields of the accepted ones.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CronSchedule, parseCron } from './parse.ts';

const bothDays = 'Support for specifying both a day-of-week AND a day-of-month parameter is not implemented.';
const minuteOrSecond = 'Minute and Second values must be between 0 and 59';
const hour = 'Hour values must be between 0 and 23';
const dayOfMonth = 'Day of month values must be between 1 and 31';
const month = 'Month values must be between 1 and 12';
const dayOfWeek = 'Day-of-Week values must be between 1 and 7';
const year = 'Year values must be between 1970 and 2099';
const nth = "A numeric value between 1 and 5 must follow the '#' option";
const lastInList = "Support for specifying 'L' with other days of the week is not implemented";
const severalNth = 'Support for specifying multiple "nth" days is not implemented.';
const questionMarkTwice = "'?' can only be specified for Day-of-Month -OR- Day-of-Week.";
const questionMarkElsewhere = "'?' can only be specified for Day-of-Month or Day-of-Week.";
const lastInTime = "'L' not expected in seconds, minutes or hours fields.";

type Refusals = readonly (readonly [expression: string, offset: number, reason: string])[];

const knownToQuartz: Refusals = [
  ['every night', 0, "Illegal characters for this position: 'EVE'"],
  ['bad', 0, "Illegal characters for this position: 'BAD'"],
  ['0 0 2 LWX * ?', 0, "Illegal characters for this position: 'LWX'"],
  ['', 0, 'Unexpected end of expression.'],
  ['   ', 3, 'Unexpected end of expression.'],
  ['* * * * *', 9, 'Unexpected end of expression.'],
  ['0 0 2 * * ? * *', -1, 'Invalid expression has too many terms: 0 0 2 * * ? * *'],
  ['one two three four five six seven eight', -1, 'Invalid expression has too many terms: ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT'],
  ['0 0 2 * * *', 0, bothDays],
  ['0 0 12 15 * 2', 0, bothDays],
  ['0 0 12 L * 6L', 0, bothDays],
  ['0 0 12 ? * ?', 1, questionMarkTwice],
  ['? 0 12 ? * ?', 1, questionMarkElsewhere],
  ['0 ? 12 * * ?', 1, questionMarkElsewhere],
  ['0 0 12 * ? 1', 1, questionMarkElsewhere],
  ['0 0 12 * * ? ?', 1, questionMarkElsewhere],
  ['0 0 12 ?12 * 1', 1, "Illegal character after '?': 1"],
  ['60 0 12 * * ?', -1, minuteOrSecond],
  ['0 60 12 * * ?', -1, minuteOrSecond],
  ['0 5-60 12 * * ?', -1, minuteOrSecond],
  ['0 61/5 12 * * ?', -1, minuteOrSecond],
  ['0 0 25 * * ?', -1, hour],
  ['0 0 24 * * ?', -1, hour],
  ['0 0 0 32 * ?', -1, dayOfMonth],
  ['0 0 0 0 * ?', -1, dayOfMonth],
  ['0 0 0 1,2,32 * ?', -1, dayOfMonth],
  ['0 0 0 1 13 ?', -1, month],
  ['0 0 0 1 0 ?', -1, month],
  ['0 0 0 ? * 8', -1, dayOfWeek],
  ['0 0 0 ? * 0', -1, dayOfWeek],
  ['0 0 0 ? * 8L', -1, dayOfWeek],
  ['*/60 0 0 * * ?', 4, 'Increment >= 60 : 60'],
  ['0 5/70 0 * * ?', 3, 'Increment >= 60 : 70'],
  ['0 15/70 0 * * ?', 4, 'Increment >= 60 : 70'],
  ['0 /70 0 * * ?', 3, 'Increment >= 60 : 70'],
  ['0 0 */24 * * ?', 4, 'Increment >= 24 : 24'],
  ['0 0 0 */32 * ?', 4, 'Increment >= 31 : 32'],
  ['0 0 0 1 */13 ?', 4, 'Increment >= 12 : 13'],
  ['0 0 0 ? * */8', 3, 'Increment >= 7 : 8'],
  ['0 0 0 ? * */10', 3, 'Increment >= 7 : 10'],
  ['0 0 0 ? * 2/8', 3, 'Increment >= 7 : 8'],
  ['0 0 0 1 XYZ ?', 0, "Invalid Month value: 'XYZ'"],
  ['0 0 0 1 JAN-XYZ ?', 4, "Invalid Month value: 'XYZ'"],
  ['0 0 0 ? * XYZ', 0, "Invalid Day-of-Week value: 'XYZ'"],
  ['0 0 0 ? * mon-xyz', 4, "Invalid Day-of-Week value: 'XYZ'"],
  ['0 0 0 ? * JAN', 0, "Invalid Day-of-Week value: 'JAN'"],
  ['% 0 0 * * ?', 0, 'Unexpected character: %'],
  ['-5 0 0 * * ?', 0, 'Unexpected character: -'],
  ['0 / 0 * * ?', 0, "'/' must be followed by an integer."],
  ['0 15/ 0 * * ?', 2, "'/' must be followed by an integer."],
  ['0 */ 0 * * ?', 2, 'Unexpected end of string.'],
  ['0 5/3x 0 * * ?', 3, "Unexpected character 'X' after '/'"],
  ['0 0 0 ? * 6#6', 2, nth],
  ['0 0 0 ? * 6#0', 2, nth],
  ['0 0 0 ? * 6#', 2, nth],
  ['0 0 0 ? * 6#x', 2, nth],
  ['0 0 0 ? * FRI#6', 4, nth],
  ['0 0 0 12#1 * ?', 2, "'#' option is not valid here. (pos=2)"],
  ['0 0 0 12L * ?', 2, "'L' option is not valid here. (pos=2)"],
  ['0 0 0 ? * 3W', 1, "'W' option is not valid here. (pos=1)"],
  ['0 0 0 32W * ?', 2, "The 'W' option does not make sense with values larger than 31 (max number of days in a month)"],
  ['0 0 0 ? * 6L,2', -1, lastInList],
  ['0 0 0 ? * 2,L', -1, lastInList],
  ['0 0 0 ? * 6#3,2#1', -1, severalNth],
  ['0 0 0 L-31 * ?', 2, 'Offset from last day must be <= 30'],
];

const refusedByTheReferenceOnly: Refusals = [
  ['L 0 0 * * ?', 0, lastInTime],
  ['0 LW 0 * * ?', 0, lastInTime],
  ['0 0 L-3 * * ?', 0, lastInTime],
];

const readAsSomethingElseByQuartz: Refusals = [
  ['5x 0 0 * * ?', 1, 'Unexpected character: X'],
  ['*5 0 0 * * ?', 1, 'Unexpected character: 5'],
  ['0 5-10x 0 * * ?', 4, 'Unexpected character: X'],
  ['0 5-10/20x 0 * * ?', 7, "Unexpected character 'X' after '/'"],
  ['0 0 0 ? * MONDAY', 3, 'Unexpected character: D'],
  ['0 0 0 ? * MON-FRI/2', 7, 'Unexpected character: /'],
  ['0 0 0 ? * MON-FRIL', 7, 'Unexpected character: L'],
  ['0 0 0 ? * 6L3', 2, 'Unexpected character: 3'],
  ['0 0 0 ? * 😀', 0, 'Unexpected character: 😀'],
  ['0 0 0 ?x * 2', 1, "Illegal character after '?': X"],
  ['0 0 0 1,? * 2', 0, "Illegal cron expression format ('?' cannot stand in a list)"],
  ['0 0 0 ? * 8#1', -1, dayOfWeek],
  ['0 0 0 0W * ?', -1, dayOfMonth],
  ['0 0 0 5-0 * ?', -1, dayOfMonth],
  ['99 0 0 * * ?', -1, minuteOrSecond],
  ['0 0 0 1 L ?', 0, "'L' option is not valid here. (pos=0)"],
  ['0 0 0 1 1 ? L', 0, "'L' option is not valid here. (pos=0)"],
  ['0 0 0 ? * LW', 1, "'W' option is not valid here. (pos=1)"],
  ['0 0 0 ? * L-3', 1, 'Unexpected character: -'],
  ['0 0/0 0 * * ?', 0, 'Illegal cron expression format (an increment must be at least 1)'],
  [', 0 0 * * ?', 0, "Illegal cron expression format (',' names no value)"],
  ['0 0 0 1 1 ? 1969', -1, year],
  ['0 0 0 1 1 ? 2100', -1, year],
];

const withoutSpecificMessage = [
  'at 5',
  '0 0 0 1 JA ?',
  '0 0 0 1 JAN-FE ?',
  '0 0 0 ? * MON-6',
  '0 0 0 ? * 2-FRI',
  '0 5- 0 * * ?',
  '0 5-10/ 0 * * ?',
  '0 5/x 0 * * ?',
  '0 */x 0 * * ?',
  '0 0 0 L- * ?',
  '0 0 0 1 1 ? 2028-2027',
];

describe('a cron expression is refused', () => {
  for (const [expression, offset, reason] of [...knownToQuartz, ...refusedByTheReferenceOnly, ...readAsSomethingElseByQuartz]) {
    it(`'${expression}' at ${offset}: ${reason}`, () => {
      assert.deepEqual(parseCron(expression), { ok: false, offset, reason });
    });
  }

  for (const expression of withoutSpecificMessage) {
    it(`'${expression}' as an illegal format`, () => {
      const cron = parseCron(expression);
      assert.ok(!cron.ok);
      assert.equal(cron.offset, 0);
      assert.match(cron.reason, /^Illegal cron expression format \(.+\)$/);
    });
  }
});

describe('a cron expression is read', () => {
  it('a cron expression is read field by field', () => {
    assert.deepEqual(scheduleOf('0 15,45 2-4 1,15 JAN,6 ? 2027-2028'), {
      seconds: [0],
      minutes: [15, 45],
      hours: [2, 3, 4],
      days: [{ kind: 'daysOfMonth', days: [1, 15] }],
      months: [1, 6],
      years: [2027, 2028],
    });
  });

  it('a cron expression without years has every year from 1970 to 2099', () => {
    const { years } = scheduleOf('0 0 0 * * ?');
    assert.deepEqual([years[0], years.at(-1), years.length], [1970, 2099, 130]);
    assert.deepEqual(years, scheduleOf('0 0 0 * * ? *').years);
  });

  it('a cron expression may have ranges that wrap', () => {
    assert.deepEqual(scheduleOf('0 0 22-2 28-3 NOV-FEB ?'), {
      ...scheduleOf('0 0 0,1,2,22,23 1,2,3,28,29,30,31 1,2,11,12 ?'),
    });
    assert.deepEqual(scheduleOf('0 0 22-2/2 * * ?').hours, [0, 2, 22]);
    assert.deepEqual(scheduleOf('0 0 0 ? * FRI-MON').days, [{ kind: 'daysOfWeek', weekdays: [1, 2, 6, 7] }]);
  });

  it('a cron expression may have steps', () => {
    assert.deepEqual(scheduleOf('0/20 */25 /10 * * ?').seconds, [0, 20, 40]);
    assert.deepEqual(scheduleOf('0/20 */25 /10 * * ?').minutes, [0, 25, 50]);
    assert.deepEqual(scheduleOf('0/20 */25 /10 * * ?').hours, [0, 10, 20]);
    assert.deepEqual(scheduleOf('0 0 0 1 */5 ?').months, [1, 6, 11]);
    assert.deepEqual(scheduleOf('10-30/70 0 0 * * ?').seconds, [10]);
  });

  it('a cron expression may have special days', () => {
    assert.deepEqual(scheduleOf('0 0 0 L,LW,L-3,L-4W,15W * ?').days, [
      { kind: 'lastDay', daysBefore: 0, nearestWeekday: false },
      { kind: 'lastDay', daysBefore: 0, nearestWeekday: true },
      { kind: 'lastDay', daysBefore: 3, nearestWeekday: false },
      { kind: 'lastDay', daysBefore: 4, nearestWeekday: true },
      { kind: 'nearestWeekday', day: 15 },
    ]);
    assert.deepEqual(scheduleOf('0 0 0 ? * 6L').days, [{ kind: 'lastWeekday', weekday: 6 }]);
    assert.deepEqual(scheduleOf('0 0 0 ? * FRIL'), scheduleOf('0 0 0 ? * 6L'));
    assert.deepEqual(scheduleOf('0 0 0 ? * 6#3').days, [{ kind: 'nthWeekday', weekday: 6, nth: 3 }]);
    assert.deepEqual(scheduleOf('0 0 0 ? * FRI#3'), scheduleOf('0 0 0 ? * 6#3'));
    assert.deepEqual(scheduleOf('0 0 0 ? * L').days, [{ kind: 'daysOfWeek', weekdays: [7] }]);
  });

  it('a cron expression is read in any case, with any white space and with empty items', () => {
    const expected = scheduleOf('0 30 2 ? JAN MON-FRI');
    assert.deepEqual(scheduleOf('0 30 2 ? jan Mon-fri'), expected);
    assert.deepEqual(scheduleOf('  0\t30  2 ? JAN MON-FRI\n'), expected);
    assert.deepEqual(scheduleOf('0, 30 2 ? ,JAN,,1 MON-FRI'), expected);
  });

  it('a repetitive cron expression is read into few rules', () => {
    const { days } = scheduleOf(`0 0 0 ${Array(10_000).fill('15W,015W,7').join()} * ?`);
    assert.deepEqual(days, [
      { kind: 'daysOfMonth', days: [7] },
      { kind: 'nearestWeekday', day: 15 },
    ]);
  });
});

function scheduleOf(expression: string): CronSchedule {
  const cron = parseCron(expression);
  assert.ok(cron.ok, `${expression} was refused`);
  return cron.schedule;
}
