// Checks when schedules fire, over months and leap years and where clocks change.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withGrowingLimits } from '../../../test/support/patience.ts';
import { nextFiring } from './next.ts';
import { type CronSchedule, parseCron } from './parse.ts';
import { wallClockAt } from './zone.ts';

const newYear2026 = '2026-01-01T00:00:00Z';

type Vectors = readonly (readonly [expression: string, firings: readonly string[]])[];

const vectors: Vectors = [
  ['0 0 10 ? * 6L', ['2026-01-30T10:00', '2026-02-27T10:00', '2026-03-27T10:00']],
  ['0 15 10 ? * 6#3', ['2026-01-16T10:15', '2026-02-20T10:15', '2026-03-20T10:15']],
  ['0 0 12 ? * 1', ['2026-01-04T12:00']],
  ['0 0 12 ? * 2-6', ['2026-01-01T12:00', '2026-01-02T12:00', '2026-01-05T12:00']],
  ['0 0 12 L * ?', ['2026-01-31T12:00', '2026-02-28T12:00']],
  ['0 0 12 LW * ?', ['2026-01-30T12:00', '2026-02-27T12:00', '2026-03-31T12:00']],
  ['0 0 12 15W * ?', ['2026-01-15T12:00', '2026-02-16T12:00', '2026-03-16T12:00']],
  ['0 0 12 1W * ?', ['2026-01-01T12:00', '2026-02-02T12:00', '2026-03-02T12:00']],
  ['0 0 12 L-3 * ?', ['2026-01-28T12:00', '2026-02-25T12:00', '2026-03-28T12:00']],
  ['0 0 0 1 1 ? 2028', ['2028-01-01T00:00', 'never']],
  ['0 0 0 ? JAN SUN#1 2027-2028', ['2027-01-03T00:00', '2028-01-02T00:00', 'never']],
  ['0/20 5 14 29 2 ?', ['2028-02-29T14:05:00', '2028-02-29T14:05:20', '2028-02-29T14:05:40', '2032-02-29T14:05:00']],
  ['0 0 22-2 * * ?', ['2026-01-01T01:00', '2026-01-01T02:00', '2026-01-01T22:00', '2026-01-01T23:00', '2026-01-02T00:00']],
  ['0 0 12 ? * FRI-MON', ['2026-01-02T12:00', '2026-01-03T12:00', '2026-01-04T12:00', '2026-01-05T12:00', '2026-01-09T12:00']],
  ['0 0 12 ? * L', ['2026-01-03T12:00']],
];

const beyondTheVectors: Vectors = [
  ['* * * * * ?', ['2026-01-01T00:00:01', '2026-01-01T00:00:02']],
  ['0 0 12 L-3W * ?', ['2026-01-28T12:00', '2026-02-25T12:00', '2026-03-27T12:00']],
  ['0 0 12 31W * ?', ['2026-01-30T12:00', '2026-03-31T12:00', '2026-05-29T12:00']],
  ['0 0 12 L-30 * ?', ['2026-01-01T12:00', '2026-03-01T12:00']],
  ['0 0 12 1,L * ?', ['2026-01-01T12:00', '2026-01-31T12:00', '2026-02-01T12:00']],
  ['0 0 12 ? * 5#5', ['2026-01-29T12:00', '2026-04-30T12:00']],
  ['0 0 12 ? * 2,5#1', ['2026-01-01T12:00', '2026-01-05T12:00', '2026-01-12T12:00']],
  ['0 0 0 30 2 ?', ['never']],
  ['0 0 0 1 1 ? 2020', ['never']],
];

describe('the next firings in UTC', () => {
  for (const [expression, expected] of [...vectors, ...beyondTheVectors]) {
    it(`the next firings of ${expression} are right`, () => {
      const actual = firings(expression, newYear2026, 'UTC', expected.length);
      assert.deepEqual(
        actual,
        expected.map((text) => (text === 'never' ? text : new Date(`${text}Z`).toISOString())),
      );
    });
  }

  it('are strictly after the given instant, to the millisecond', () => {
    const schedule = scheduleOf('0 0 12 * * ?');
    const noon = new Date('2026-01-01T12:00:00Z');
    assert.deepEqual(nextFiring(schedule, new Date(noon.getTime() - 1), 'UTC'), noon);
    assert.deepEqual(nextFiring(schedule, noon, 'UTC'), new Date('2026-01-02T12:00:00Z'));
    assert.deepEqual(nextFiring(schedule, new Date(noon.getTime() + 1), 'UTC'), new Date('2026-01-02T12:00:00Z'));
  });

  it('end with the year 2099', () => {
    assert.deepEqual(firings('0 0 0 31 12 ?', '2098-12-31T00:00:00Z', 'UTC', 2), ['2099-12-31T00:00:00.000Z', 'never']);
  });

  it('begin with the year 1970', () => {
    assert.deepEqual(firings('0 0 0 1 1 ?', '1905-06-01T00:00:00Z', 'UTC', 1), ['1970-01-01T00:00:00.000Z']);
  });

  it('are found quickly, also when they are far away or never come', async () => {
    const rare = ['0 0 0 29 2 ? 2096', '0 0 0 30 2 ?', '59 59 23 31 12 ? 2099', '0 0 0 ? 2 1#5'].map(scheduleOf);
    await withGrowingLimits((factor) => {
      const start = performance.now();
      for (let round = 0; round < 100; round += 1)
        for (const schedule of rare) nextFiring(schedule, new Date(newYear2026), 'Europe/Berlin');
      assert.ok(performance.now() - start < factor * 2000);
    });
  });
});

describe('the next firings where the clock changes', () => {
  it('the next firings are computed in the zone, not in UTC', () => {
    assert.deepEqual(firings('0 30 2 * * ?', '2026-07-01T00:00:00Z', 'Europe/Berlin', 1), ['2026-07-01T00:30:00.000Z']);
    assert.deepEqual(firings('0 30 2 * * ?', '2026-12-01T00:00:00Z', 'America/New_York', 1), ['2026-12-01T07:30:00.000Z']);
    assert.deepEqual(firings('0 0 0 1 1 ?', '2026-06-01T00:00:00Z', 'Pacific/Kiritimati', 1), ['2026-12-31T10:00:00.000Z']);
  });

  it('come once at the end of the gap when their time is skipped', () => {
    assert.deepEqual(firings('0 30 2 * * ?', '2026-03-28T12:00:00Z', 'Europe/Berlin', 2), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    assert.deepEqual(firings('0 30 2 * * ?', '2026-03-08T00:00:00Z', 'America/New_York', 2), [
      '2026-03-08T07:00:00.000Z',
      '2026-03-09T06:30:00.000Z',
    ]);
  });

  it('are one when several skipped times and the end of the gap meet', () => {
    assert.deepEqual(firings('0 0,15,30 2,3 * * ?', '2026-03-28T12:00:00Z', 'Europe/Berlin', 2), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T01:15:00.000Z',
    ]);
  });

  it('come once, the first time, when their time is shown twice', () => {
    assert.deepEqual(firings('0 30 2 * * ?', '2026-10-24T12:00:00Z', 'Europe/Berlin', 2), [
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    assert.deepEqual(firings('0 30 1 * * ?', '2026-11-01T00:00:00Z', 'America/New_York', 2), [
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ]);
  });

  it('do not come again for a caller that asks during the second run of the hour', () => {
    for (const after of ['2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z', '2026-10-25T01:15:00Z', '2026-10-25T01:45:00.500Z']) {
      assert.deepEqual(firings('0 30 2 * * ?', after, 'Europe/Berlin', 1), ['2026-10-26T01:30:00.000Z']);
      assert.deepEqual(firings('0 0 3 * * ?', after, 'Europe/Berlin', 1), ['2026-10-25T02:00:00.000Z']);
    }
  });

  it('the next firings of every hour leave out neither the hour after the gap nor the one after the second run', () => {
    assert.deepEqual(firings('0 0 * * * ?', '2026-03-28T23:30:00Z', 'Europe/Berlin', 3), [
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T02:00:00.000Z',
    ]);
    assert.deepEqual(firings('0 0 * * * ?', '2026-10-24T23:30:00Z', 'Europe/Berlin', 3), [
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
      '2026-10-25T03:00:00.000Z',
    ]);
  });

  const changes = [
    ['Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z'],
    ['America/New_York', '2026-03-08T07:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
    ['America/Havana', '2026-03-08T05:00:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ] as const;
  for (const [timeZone, change] of changes) {
    it(`are those of a clock watched minute by minute, in ${timeZone} around ${change}`, () => {
      for (const expression of ['0 * * * * ?', '0 0 * * * ?', '0 0/20 * * * ?', '0 15,45 0-3 * * ?', '0 0 0 * * ?', '0 30 2 * * ?']) {
        const schedule = scheduleOf(expression);
        const from = new Date(change).getTime() - 6 * hour;
        const to = from + 12 * hour;
        assert.deepEqual(firingsUntil(to, schedule, from, timeZone), watchedFirings(to, schedule, from, timeZone), expression);
      }
    });
  }
});

const minute = 60_000;
const hour = 60 * minute;

function firings(expression: string, after: string, timeZone: string, count: number): readonly string[] {
  const schedule = scheduleOf(expression);
  const found: string[] = [];
  let last: Date | undefined = new Date(after);
  while (found.length < count && last !== undefined) {
    last = nextFiring(schedule, last, timeZone);
    found.push(last?.toISOString() ?? 'never');
  }
  return found;
}

function firingsUntil(end: number, schedule: CronSchedule, after: number, timeZone: string): readonly string[] {
  const found: string[] = [];
  for (let next = nextFiring(schedule, new Date(after), timeZone); next !== undefined && next.getTime() <= end; ) {
    found.push(next.toISOString());
    next = nextFiring(schedule, next, timeZone);
  }
  return found;
}

/** The rule stated the other way round: an instant fires when the clock gets to, or jumps over, a time of the schedule for the first time. */
function watchedFirings(end: number, schedule: CronSchedule, after: number, timeZone: string): readonly string[] {
  const found: string[] = [];
  let latest = wallClockAt(after, timeZone);
  for (let instant = after + minute; instant <= end; instant += minute) {
    const shown = wallClockAt(instant, timeZone);
    let fires = false;
    for (let passed = latest + minute; passed <= shown; passed += minute) {
      const time = new Date(passed);
      fires ||= schedule.hours.includes(time.getUTCHours()) && schedule.minutes.includes(time.getUTCMinutes());
    }
    if (fires) found.push(new Date(instant).toISOString());
    latest = Math.max(latest, shown);
  }
  return found;
}

function scheduleOf(expression: string): CronSchedule {
  const cron = parseCron(expression);
  assert.ok(cron.ok, `${expression} was refused`);
  return cron.schedule;
}
