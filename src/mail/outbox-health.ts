// The health messages about the outbox. All users see them, so addresses and subjects are only in the log.
import type { HealthMessages } from '../health/messages.ts';
import type { OutboxTable } from './outbox-table.ts';

const DAYS_SHOWN = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
const MIN_REPORTED_FAILURES = 3;

const TROUBLE = 'mail server';
const LOST = 'mail lost';
const UNCONFIRMED = 'mail unconfirmed';

export function reportProblem(health: HealthMessages, failuresInARow: number): void {
  if (failuresInARow < MIN_REPORTED_FAILURES) health.clear(TROUBLE);
  else {
    const detail =
      'The mail server has failed several times in a row. Mail is kept, and sent when it works again. The log says what is wrong.';
    health.raise(TROUBLE, 'WARNING', 'Mail cannot be sent at present', detail);
  }
}

export async function reportEndings(health: HealthMessages, table: OutboxTable, now: number): Promise<void> {
  const { refused, expired, unconfirmed } = await table.endings(new Date(now - DAYS_SHOWN * DAY_MS).toISOString());
  const lost = refused + expired;
  const inTheLog = `in the last ${DAYS_SHOWN} days. The log says which.`;
  if (lost === 0) health.clear(LOST);
  else health.raise(LOST, 'ERROR', 'Mail could not be delivered', `${mails(lost)} given up ${inTheLog}`);
  if (unconfirmed === 0) health.clear(UNCONFIRMED);
  else
    health.raise(
      UNCONFIRMED,
      'WARNING',
      'It is not known whether a mail was delivered',
      `${mails(unconfirmed)} handed over to the mail server without an answer ${inTheLog}`,
    );
}

/** The server that sends mail from now on reports its own trouble. */
export function clearReports(health: HealthMessages): void {
  for (const about of [TROUBLE, LOST, UNCONFIRMED]) health.clear(about);
}

function mails(count: number): string {
  return count === 1 ? 'One mail was' : `${count} mails were`;
}
