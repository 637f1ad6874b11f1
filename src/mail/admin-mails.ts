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
  readonly #told = new Set<string>();

  private constructor(parts: AdminMailsParts) {
    this.#parts = parts;
  }

  static async load(parts: AdminMailsParts): Promise<AdminMails> {
    const mails = new AdminMails(parts);
    const rows = await parts.database.query.selectFrom('told_conditions').select('condition').execute();
    for (const { condition } of rows) mails.#told.add(condition);
    return mails;
  }

  /** Something has happened. */
  async tell(content: MailContent): Promise<void> {
    const server = this.#parts.server();
    if (server) await this.#parts.outbox.add({ to: server.adminEmail, ...content });
  }

  /** The same for the commit of what has happened, so that there is neither without the other; `wake` afterwards. */
  statementsFor(content: MailContent): CompiledQuery[] {
    const server = this.#parts.server();
    const mail = server && this.#parts.outbox.statementFor({ to: server.adminEmail, ...content });
    return mail ? [mail] : [];
  }

  wake(): void {
    this.#parts.outbox.wake();
  }

  /** Something is wrong. Without a mail server nobody is told, and the next call tells whoever can be told then. */
  async tellOnce(condition: string, content: MailContent): Promise<void> {
    const { database, outbox, server } = this.#parts;
    const to = server()?.adminEmail;
    if (to === undefined || this.#told.has(condition)) return;
    const mail = outbox.statementFor({ to, ...content });
    if (!mail) return;
    this.#told.add(condition);
    const note = database.query.insertInto('told_conditions').values({ condition, since: new Date().toISOString() }).compile();
    try {
      await database.writeTransaction([note, mail]);
    } catch (failure) {
      this.#told.delete(condition);
      throw failure;
    }
    outbox.wake();
  }

  /** It is right again. */
  async isOver(condition: string): Promise<void> {
    if (!this.#told.has(condition)) return;
    await this.#parts.database.query.deleteFrom('told_conditions').where('condition', '=', condition).execute();
    this.#told.delete(condition);
  }
}
