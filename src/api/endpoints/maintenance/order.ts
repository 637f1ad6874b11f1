// Reads the body of a request that switches maintenance mode on: why, until when, and whether it survives a restart.

import { Refusal } from '../../../kit/refusal.ts';
import { isProse, NOT_PROSE } from '../../../kit/text/control-characters.ts';
import type { Order } from '../../../maintenance/period.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { type JsonCursor, readDecimal, readFlag, readText } from '../../../shape/json/reading.ts';
import { annotate, type Problem, problemUnless, withoutDerivedProblems } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';

export const MAX_REASON_LENGTH = 1000;
export const MAX_MINUTES = 366 * 24 * 60;
const MINUTE_MS = 60_000;
const WITH_ZONE = /T[^T]*(?:Z|[+-]\d\d:?\d\d)$/i;

export function readOrder(body: JsonObject, by: string, givenReason: string | null, now: number): Order {
  const problems: Problem[] = [];
  const cursor: JsonCursor = { holder: body, path: [], reading: plainReading(problems) };
  const reason = readText(cursor, 'reason')?.trim() || givenReason;
  const minutes = readDecimal(cursor, 'minutes', 'Number');
  const until = readText(cursor, 'until');
  const survivesRestart = readFlag(cursor, 'survive_restart') ?? false;
  const end = endOf(minutes, until, now);
  const latest = now + MAX_MINUTES * MINUTE_MS;
  problems.push(
    ...problemUnless(
      (reason ?? '').length <= MAX_REASON_LENGTH,
      'reason',
      `\`reason\` must not be longer than ${MAX_REASON_LENGTH} characters.`,
    ),
    ...problemUnless(isProse(reason ?? ''), 'reason', `\`reason\` ${NOT_PROSE}.`),
    ...problemUnless(minutes === undefined || until === undefined, 'until', 'Give either `minutes` or `until`, not both.'),
    ...problemUnless(
      minutes === undefined || (minutes > 0 && minutes <= MAX_MINUTES),
      'minutes',
      `\`minutes\` must be more than 0 and at most ${MAX_MINUTES}.`,
    ),
    ...problemUnless(
      until === undefined || (end !== undefined && end > now && end <= latest),
      'until',
      '`until` must be a time in the future, within a year, in the form 2026-01-31T09:30:00Z.',
    ),
  );
  refuse(body, withoutDerivedProblems(problems));
  return { by, reason, until: end === undefined ? null : new Date(end).toISOString(), survivesRestart };
}

function endOf(minutes: number | undefined, until: string | undefined, now: number): number | undefined {
  if (minutes !== undefined) return now + minutes * MINUTE_MS;
  if (until === undefined || !WITH_ZONE.test(until.trim())) return undefined;
  const time = Date.parse(until.trim());
  return Number.isNaN(time) ? undefined : time;
}

function refuse({ reason, minutes, until, survive_restart }: JsonObject, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const sent = JSON.parse(JSON.stringify({ reason, minutes, until, survive_restart }));
  const data = annotate(sent, problems);
  throw new Refusal('invalid', problems.map(({ message }) => message).join(' '), { data });
}
