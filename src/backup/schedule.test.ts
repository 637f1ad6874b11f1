import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HealthMessages } from '../health/messages.ts';
import { FakeClock } from '../kit/concurrency/fake-clock.ts';
import { PeriodicRunner } from '../kit/concurrency/periodic/periodic.ts';
import { scheduleBackups } from './schedule.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-31T00:00:00Z');

function setUp(schedule: string | null, timeZone = 'Europe/Berlin') {
  const clock = new FakeClock();
  const runner = new PeriodicRunner({ clock, onFailure: (_, failure) => assert.fail(String(failure)) });
  runner.startKeeperJobs();
  const health = new HealthMessages();
  const made: string[] = [];
  const request = { schedule };
  const job = scheduleBackups({
    runner,
    health,
    schedule: () => request.schedule,
    timeZone: () => timeZone,
    makeBackup: async (user, via) => {
      made.push(`${new Date(clock.now()).toISOString().slice(0, 16)} ${user} ${via}`);
    },
  });
  const until = (time: string) => clock.forward(Date.parse(time) - clock.now());
  return { clock, runner, health, made, request, job, until };
}

test('backups are made at the times of the schedule, by the clock of the server', async () => {
  const { made, until } = setUp('0 30 2 ? * MON-FRI');
  await until('2026-02-04T12:00:00Z');
  assert.deepEqual(made, ['2026-02-02T01:30 timer TIMER', '2026-02-03T01:30 timer TIMER', '2026-02-04T01:30 timer TIMER']);
});

test('a time that the clock skips in spring, and one that it shows twice in autumn, is one backup each', async () => {
  const { made, until, clock } = setUp('0 30 2 * * ?');
  clock.jump(Date.parse('2026-03-28T12:00:00Z') - START);
  await until('2026-03-30T12:00:00Z');
  assert.deepEqual(
    made.slice(-2).map((one) => one.slice(0, 16)),
    ['2026-03-29T01:00', '2026-03-30T00:30'],
    'at three, when the clock goes on from two',
  );
  clock.jump(Date.parse('2026-10-24T12:00:00Z') - clock.now());
  await until('2026-10-24T12:05:00Z');
  made.length = 0;
  await until('2026-10-26T12:00:00Z');
  assert.deepEqual(
    made.map((one) => one.slice(0, 16)),
    ['2026-10-25T00:30', '2026-10-26T01:30'],
    'at the first half past two only',
  );
});

test('a change takes effect at once', async () => {
  const { made, request, job, until } = setUp('0 0 12 * * ?');
  request.schedule = '0 0 3 * * ?';
  job.refresh();
  await until('2026-01-31T06:00:00Z');
  assert.equal(made.length, 1);
  request.schedule = '  ';
  job.refresh();
  await until('2026-02-03T06:00:00Z');
  assert.equal(made.length, 1);
});

test('scheduled backups go on in maintenance mode', async () => {
  const { made, runner, until } = setUp('0 0 * * * ?');
  runner.pause();
  await until('2026-01-31T02:30:00Z');
  assert.equal(made.length, 2);
});

test('a schedule that cannot be read is reported, and no longer when it is put right', () => {
  const { health, request, job } = setUp('0 0 * * *');
  const [message] = health.all();
  assert.deepEqual(
    [message?.level, message?.message, message?.detail],
    ['ERROR', 'Unable to schedule backup job.', 'Invalid cron syntax for backup configuration at offset 9: Unexpected end of expression.'],
  );
  request.schedule = '0 0 * * * ?';
  job.refresh();
  assert.deepEqual(health.all(), []);
});

test('a schedule that names no time to come is reported, be it never or no longer', async () => {
  const { health, request, job, made, until } = setUp('0 0 0 31 2 ?');
  const messages = () => health.all().map(({ level, message, detail }) => [level, message, detail]);
  const trouble = (schedule: string) => [
    ['ERROR', 'Unable to schedule backup job.', `The schedule '${schedule}' never fires: it has no time in the future.`],
  ];
  assert.deepEqual(messages(), trouble('0 0 0 31 2 ?'));
  request.schedule = '0 0 3 1 2 ? 2026';
  job.refresh();
  assert.deepEqual(messages(), []);
  await until('2026-02-02T00:00:00Z');
  assert.equal(made.length, 1);
  assert.deepEqual(messages(), trouble('0 0 3 1 2 ? 2026'));
});

test('backups that came due while the server was down are not made up for', async () => {
  const { made, until } = setUp('0 0 0 1 1 ? 2026');
  await until('2026-01-31T12:00:00Z');
  assert.deepEqual(made, []);
  const later = setUp('0 0 * * * ?');
  await later.clock.forward(HOUR / 2);
  assert.deepEqual(later.made, []);
});

test('after the job is removed no backup is made, and nothing is reported', async () => {
  const { made, until, job, health } = setUp('0 30 2 * * ?');
  const { health: brokenHealth, job: broken } = setUp('never');
  assert.equal(brokenHealth.all().length, 1);
  await job.remove();
  await broken.remove();
  await until('2026-02-04T12:00:00Z');
  assert.deepEqual([made, health.all(), brokenHealth.all()], [[], [], []]);
});
