// Mails to the administrator: of events each time, of conditions once while they last, also when the server starts anew meanwhile.
import type { CompiledQuery } from 'kysely';
import type { Database } from '../store/database.ts';
import type { MailContent } from './mail.ts';
import type { MailServer } from './mail-server.ts';
import type { Outbox } from './outbox.ts';

export interface AdminMailsParts {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly server: () => MailServer | undefined;
}

export class AdminMails {
  readonly #parts: AdminMailsParts;
  #mailed: ReadonlySet<string> = new Set();
  /** Conditions that are mailed at the moment. */
  readonly #mailing = new Set<string>();
  /** How often one was written to the disk, or taken from it. */
  #writes = 0;

  constructor(parts: AdminMailsParts) {
    this.#parts = parts;
  }

  /** Loads the conditions that administrators know of. To be called again when another server may have mailed them some. */
  async load(): Promise<void> {
    const { query } = this.#parts.database;
    for (;;) {
      const writes = this.#writes;
      const rows = await query.selectFrom('told_conditions').select('condition').execute();
      // A condition written meanwhile may not be among them.
      if (writes !== this.#writes) continue;
      this.#mailed = new Set(rows.map(({ condition }) => condition));
      return;
    }
  }

  /** Something has happened. */
  async send(content: MailContent): Promise<void> {
    const server = this.#parts.server();
    if (server) await this.#parts.outbox.add({ to: server.adminEmail, ...content });
  }

  /** The mail as statements for the commit of the event, so that both are stored or neither; `wake` afterwards. */
  statementsFor(content: MailContent): CompiledQuery[] {
    const server = this.#parts.server();
    const mail = server && this.#parts.outbox.statementFor({ to: server.adminEmail, ...content });
    return mail ? [mail] : [];
  }

  wake(): void {
    this.#parts.outbox.wake();
  }

  /** Mails the administrator once while a condition lasts. Without a mail server nothing is sent, and the next call tries again. */
  async sendOnce(condition: string, content: MailContent): Promise<void> {
    const { database, outbox, server } = this.#parts;
    const to = server()?.adminEmail;
    if (to === undefined || this.#mailed.has(condition) || this.#mailing.has(condition)) return;
    const mail = outbox.statementFor({ to, ...content });
    if (!mail) return;
    const note = database.query.insertInto('told_conditions').values({ condition, since: new Date().toISOString() }).compile();
    this.#mailing.add(condition);
    try {
      await database.serialized(async () => {
        // Another server may have mailed it in the same moment.
        if (this.#mailed.has(condition)) return;
        await database.writeTransaction([note, mail]);
        this.#note(this.#mailed.union(new Set([condition])));
      });
    } finally {
      this.#mailing.delete(condition);
    }
    outbox.wake();
  }

  /** Ends a condition: when it comes back, a mail is sent again. */
  async resolve(condition: string): Promise<void> {
    if (!this.#mailed.has(condition)) return;
    const { database } = this.#parts;
    await database.writeTransaction([database.query.deleteFrom('told_conditions').where('condition', '=', condition).compile()]);
    this.#note(this.#mailed.difference(new Set([condition])));
  }

  #note(mailed: ReadonlySet<string>): void {
    this.#mailed = mailed;
    this.#writes++;
  }
}
