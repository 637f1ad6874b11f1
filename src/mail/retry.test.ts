import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFailure, isTooOld, pauseAfter } from './retry.ts';
import { classifyFailure, type FailureClassification, type Progress, type SmtpError } from './send-failure.ts';

const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const MINUTE = 60_000;
const failure = (more: Partial<FailureClassification>): FailureClassification => ({
  concerns: 'mail',
  isFinal: false,
  isInDoubt: false,
  reason: 'x',
  ...more,
});

test('a mail waits twice as long each time, but never longer than an hour', () => {
  const delays = [0, 1, 2, 3, 7, 50].map((attempts) => {
    const next = afterFailure({ attempts, doubts: 0 }, failure({}), NOW);
    assert.ok(next.kind === 'retry' && next.attempts === attempts + 1 && next.doubts === 0);
    return (Date.parse(next.dueAt) - NOW) / MINUTE;
  });
  assert.deepEqual(delays, [0.5, 1, 2, 4, 60, 60]);
});

test('a failure of the server is not counted against the mail; all pause instead', () => {
  const next = afterFailure({ attempts: 4, doubts: 1 }, failure({ concerns: 'server' }), NOW);
  assert.deepEqual(next, { kind: 'retry', dueAt: new Date(NOW).toISOString(), attempts: 4, doubts: 1 });
  assert.deepEqual([1, 2, 3, 20].map(pauseAfter), [10_000, 20_000, 40_000, 10 * MINUTE]);
});

test('a mail in doubt is tried rarely, and at most three times more', () => {
  const steps = [0, 1, 2, 3].map((doubts) => afterFailure({ attempts: doubts, doubts }, failure({ isInDoubt: true }), NOW));
  const minutes = steps.map((step) => (step.kind === 'retry' ? (Date.parse(step.dueAt) - NOW) / MINUTE : step.as));
  assert.deepEqual(minutes, [10, 60, 360, 'unconfirmed']);
});

test('a mail ends when it is refused for good, or after five days', () => {
  assert.deepEqual(afterFailure({ attempts: 0, doubts: 0 }, failure({ isFinal: true }), NOW), { kind: 'end', as: 'refused' });
  assert.ok(isTooOld('2026-02-24T00:00:00.000Z', NOW));
  assert.ok(!isTooOld('2026-02-24T00:00:00.001Z', NOW));
});

test('a failure concerns the server or the mail, and may be final or in doubt', () => {
  const cases: [Partial<SmtpError>, Progress, string][] = [
    [{ code: 'ECONNECTION' }, 'nothing sent', 'server'],
    [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, 'nothing sent', 'server'],
    [{ code: 'ETLS' }, 'nothing sent', 'server'],
    [{ code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }, 'nothing sent', 'server'],
    [{ code: 'EENVELOPE', responseCode: 421, command: 'RCPT TO' }, 'nothing sent', 'server'],
    [{ code: 'EENVELOPE', responseCode: 450, command: 'RCPT TO' }, 'nothing sent', 'mail'],
    [{ code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'nothing sent', 'mail, final'],
    [{ code: 'EENVELOPE' }, 'nothing sent', 'mail, final'],
    [{ code: 'EMESSAGE', command: 'MAIL FROM' }, 'nothing sent', 'mail, final'],
    [{ code: 'ECONNECTION' }, 'body begun', 'mail'],
    [{ code: 'ETIMEDOUT' }, 'all sent', 'mail, in doubt'],
    [{ code: 'ECONNECTION' }, 'all sent', 'mail, in doubt'],
    [{ code: 'EMESSAGE', responseCode: 451, command: 'DATA' }, 'all sent', 'mail'],
    [{ code: 'EMESSAGE', responseCode: 554, command: 'DATA' }, 'all sent', 'mail, final'],
    [{ code: 'EMESSAGE', responseCode: 421, command: 'DATA' }, 'all sent', 'server'],
  ];
  for (const [error, progress, expected] of cases) {
    const { concerns, isFinal, isInDoubt } = classifyFailure({ message: 'x', ...error }, progress);
    const found = [concerns, isFinal && 'final', isInDoubt && 'in doubt'].filter(Boolean).join(', ');
    assert.equal(found, expected, JSON.stringify([error, progress]));
  }
});
