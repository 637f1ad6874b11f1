// The outbox: mail is on disk before its caller relies on it, and stays there until the mail server has taken it or never will.
import type { CompiledQuery } from 'kysely';
import type { HealthMessages } from '../health/messages.ts';
import { PendingWork } from '../kit/concurrency/pending-work.ts';
import type { Log } from '../kit/log.ts';
import type { Database } from '../store/database.ts';
import type { Mail } from './mail.ts';
import type { MailServer } from './mail-server.ts';
import { clearReports, reportEndings, reportProblem } from './outbox-health.ts';
import { type OutboxMail, OutboxTable } from './outbox-table.ts';
import { afterFailure, type Ending, isTooOld, pauseAfter } from './retry.ts';
import { type FailureClassification, SendFailure } from './send-failure.ts';
import { type ConnectSmtp, MAX_CONNECTIONS, type Smtp } from './smtp.ts';
import { stampMail } from './stamp.ts';

export interface OutboxParts {
  readonly database: Database;
  /** For writes about sending: only the server that sends may make them. */
  readonly keeperDatabase?: Database;
  /** Returns the same object until the configuration changes. */
  readonly server: () => MailServer | undefined;
  readonly connect: ConnectSmtp;
  readonly health: HealthMessages;
  readonly log: Log;
  readonly now?: () => number;
}

/** The outbox is checked this often without a reason, in case mail came without a call of `wake`. */
const MAX_WAIT_MS = 30_000;
const MAX_STOP_MS = 5_000;
const HOUR_MS = 60 * 60 * 1000;

export class Outbox {
  readonly #parts: OutboxParts;
  readonly #table: OutboxTable;
  readonly #now: () => number;
  readonly #inFlight = new Map<number, Promise<void>>();
  /** Taken by the mail server, and still in the table because the table could not be written. */
  readonly #taken = new Set<number>();
  readonly #expediting = new PendingWork();
  #connection: { readonly server: MailServer; readonly smtp: Smtp } | undefined;
  #failuresInARow = 0;
  #pausedUntil = 0;
  #endingsReportedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #isToLookAgain = false;
  #isRunning = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#table = new OutboxTable(parts.keeperDatabase ?? parts.database);
    this.#now = parts.now ?? Date.now;
  }

  /** Sends from now on, when no other server does any more. Mail can be added at any time. */
  async start(): Promise<void> {
    await this.#endInterrupted();
    // Marks nothing, and makes the first mark as quick as the others; should it fail, nothing is lost.
    this.#table.markHandedOver(0, '').catch(() => {});
    await this.#reportEndings();
    this.#isRunning = true;
    this.wake();
  }

  /** Keeps mails and returns when they are on disk; without a mail server they are dropped. */
  async add(...mails: readonly Mail[]): Promise<void> {
    const statements = mails.flatMap((mail) => this.statementFor(mail) ?? []);
    if (statements.length === 0) return;
    await this.#parts.database.writeTransaction(statements);
    this.wake();
  }

  /** For the commit of the event that a mail reports: both are stored or neither; `wake` afterwards. Undefined without a mail server. */
  statementFor(mail: Mail): CompiledQuery | undefined {
    const server = this.#parts.server();
    return server && this.#table.insertOf(stampMail(mail, server.senderEmail, this.#now()));
  }

  /** Checks for mail to send. */
  wake(): void {
    if (!this.#isRunning) return;
    this.#isToLookAgain = true;
    this.#checking ??= this.#checkWhileRequested().finally(() => {
      this.#checking = undefined;
    });
  }

  /** The configuration has another mail server: mails that failed with the old one are tried at once, by the server that sends. */
  async serverChanged(): Promise<void> {
    if (!this.#isRunning) return;
    this.#disconnect();
    this.#serverWorks();
    this.#pausedUntil = 0;
    await this.#expediting.add(this.#table.expedite(this.#time()));
    this.wake();
  }

  /** Lets the mail being sent finish, but not for long. The next start, on any server, ends a mail not known to have arrived. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    const stopTimer = setTimeout(() => this.#connection?.smtp.abort(), MAX_STOP_MS);
    await this.#checking;
    await Promise.all(this.#inFlight.values());
    await this.#expediting.ended();
    clearTimeout(stopTimer);
    this.#disconnect();
    this.#forget();
  }

  #forget(): void {
    this.#taken.clear();
    this.#failuresInARow = 0;
    this.#pausedUntil = 0;
    this.#isToLookAgain = false;
    clearReports(this.#parts.health);
  }

  async #checkWhileRequested(): Promise<void> {
    try {
      while (this.#isToLookAgain && this.#isRunning) {
        this.#isToLookAgain = false;
        await this.#check();
      }
    } catch (failure) {
      this.#parts.log.error({ err: failure }, 'the outbox could not be read');
      this.#checkIn(MAX_WAIT_MS);
    }
  }

  async #check(): Promise<void> {
    for (const id of this.#taken) await this.#remove(id);
    if (!this.#parts.server()) return;
    const now = this.#now();
    if (now - this.#endingsReportedAt > HOUR_MS) await this.#reportEndings();
    if (now < this.#pausedUntil) {
      this.#checkIn(this.#pausedUntil - now);
      return;
    }
    // One is enough to find out whether a server works again.
    const room = (this.#failuresInARow > 0 ? 1 : MAX_CONNECTIONS) - this.#inFlight.size;
    if (room <= 0) return;
    for (const mail of await this.#table.due(this.#time(), room, this.#busy())) {
      const server = this.#parts.server();
      if (!server || !this.#isRunning) return;
      if (isTooOld(mail.createdAt, now)) await this.#end(mail, 'expired', 'too old');
      else this.#inFlight.set(mail.id, this.#send(mail, server));
    }
    const next = await this.#table.nextDue(this.#busy());
    const wait = next === undefined ? MAX_WAIT_MS : Date.parse(next) - this.#now();
    this.#checkIn(Math.min(Math.max(wait, 0), MAX_WAIT_MS));
  }

  async #send(mail: OutboxMail, server: MailServer): Promise<void> {
    try {
      // First the mark, then the mail: every mail that has reached the mail server is known here, also after a sudden end of the process.
      await this.#smtpOf(server).send(mail, () => this.#table.markHandedOver(mail.id, this.#time()));
      await this.#remove(mail.id);
      this.#serverWorks();
    } catch (failure) {
      await this.#handleFailure(mail, server, failure);
    } finally {
      this.#inFlight.delete(mail.id);
      this.wake();
    }
  }

  async #handleFailure(mail: OutboxMail, server: MailServer, failure: unknown): Promise<void> {
    const { log } = this.#parts;
    if (!(failure instanceof SendFailure)) {
      log.error({ err: failure, messageId: mail.messageId }, 'a mail could not be sent by a fault of the server');
      this.#pausedUntil = this.#now() + MAX_WAIT_MS;
      return;
    }
    const { classification } = failure;
    // We ended the connection ourselves: the mail server will have taken the mail, as after a sudden end of the process.
    if (!this.#isRunning && classification.isInDoubt) return;
    if (classification.concerns === 'mail') this.#serverWorks();
    // A failure of a mail server that has been replaced says nothing of its successor.
    else if (server === this.#parts.server()) this.#serverFails(classification);
    const next = afterFailure(mail, classification, this.#now());
    try {
      if (next.kind === 'end') await this.#end(mail, next.as, classification.reason);
      else await this.#table.postpone(mail.id, next, classification.reason);
      if (next.kind === 'retry') log.warn({ messageId: mail.messageId, to: mail.to, ...classification, ...next }, 'a mail was not sent');
    } catch (fault) {
      log.error({ err: fault, messageId: mail.messageId }, 'the outbox could not be written');
      this.#pausedUntil = this.#now() + MAX_WAIT_MS;
    }
  }

  /** Mails handed over by a process that ended before it had the answer are not sent again: see docs/decisions/012-outbox.md. */
  async #endInterrupted(): Promise<void> {
    for (const mail of await this.#table.handedOver())
      await this.#end(mail, 'unconfirmed', 'the server ended before the mail server had answered');
  }

  async #end({ id, messageId, to }: OutboxMail, as: Ending, reason: string): Promise<void> {
    await this.#table.end(id, as, reason, this.#time());
    this.#parts.log.warn({ messageId, to, reason, ended: as }, 'a mail is not tried again');
    await this.#reportEndings();
  }

  async #remove(id: number): Promise<void> {
    this.#taken.add(id);
    try {
      await this.#table.remove(id);
      this.#taken.delete(id);
    } catch (failure) {
      this.#parts.log.error({ err: failure }, 'a mail that was sent could not be removed from the outbox');
      this.#pausedUntil = this.#now() + MAX_WAIT_MS;
    }
  }

  #serverWorks(): void {
    this.#failuresInARow = 0;
    reportProblem(this.#parts.health, 0);
  }

  #serverFails({ reason }: FailureClassification): void {
    this.#failuresInARow++;
    const pause = pauseAfter(this.#failuresInARow);
    this.#pausedUntil = this.#now() + pause;
    this.#parts.log.warn({ reason, failuresInARow: this.#failuresInARow, pause }, 'the mail server takes no mail');
    reportProblem(this.#parts.health, this.#failuresInARow);
  }

  #reportEndings(): Promise<void> {
    this.#endingsReportedAt = this.#now();
    return reportEndings(this.#parts.health, this.#table, this.#now());
  }

  #smtpOf(server: MailServer): Smtp {
    if (this.#connection?.server !== server) {
      this.#disconnect();
      this.#connection = { server, smtp: this.#parts.connect(server) };
    }
    return this.#connection!.smtp;
  }

  #disconnect(): void {
    this.#connection?.smtp.close();
    this.#connection = undefined;
  }

  #busy(): number[] {
    return [...this.#inFlight.keys(), ...this.#taken];
  }

  #checkIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#isRunning) this.#timer = setTimeout(() => this.wake(), milliseconds).unref();
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}
