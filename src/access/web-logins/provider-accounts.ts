// Which accounts of providers are which users, and the groups that sources of users have reported last: kept in memory, written through to their table.
import type { ProviderAccount } from '../../contracts/plugins/web-login.ts';
import type { Database } from '../../store/database.ts';
import type { ProviderAccountRow } from '../../store/rows/users.ts';
import type { SerialTableWrites } from '../../store/serial-table-writes.ts';
import { keyOf, type Users } from '../users/users.ts';
import type { LinkedAccount } from './name-claim.ts';

export interface KnownAccount extends LinkedAccount {
  readonly authConfigId: string;
  /** The login name in lower case. */
  readonly userKey: string;
  readonly groups: readonly string[];
}

interface Parts {
  readonly database: Database;
  /** Shared with the table of users: deleting a user deletes their accounts, too. */
  readonly serialWrites: SerialTableWrites;
  readonly users: Users;
}

export class ProviderAccounts {
  readonly #parts: Parts;
  /** By user, then by source. */
  readonly #byUser = new Map<string, Map<string, KnownAccount>>();
  #written = 0;
  /** How often those of a whole source were forgotten. */
  #forgotten = 0;

  private constructor(parts: Parts) {
    this.#parts = parts;
    // The table deletes them with the user. The next user with the name must not find them here.
    parts.users.listenToRemovals((userKey) => this.#byUser.delete(userKey));
  }

  static async load(parts: Parts): Promise<ProviderAccounts> {
    const accounts = new ProviderAccounts(parts);
    await accounts.reload();
    return accounts;
  }

  /** Reads the table, which may have been written by another server. */
  async reload(): Promise<void> {
    const rows = await this.#parts.database.query.selectFrom('provider_accounts').selectAll().execute();
    this.#byUser.clear();
    for (const row of rows) this.#remember(fromRow(row));
    this.#written++;
  }

  /** Grows with each change that rights depend on. */
  get generation(): number {
    return this.#written + this.#parts.users.generation;
  }

  get forgotten(): number {
    return this.#forgotten;
  }

  find(authConfigId: string, loginName: string): KnownAccount | undefined {
    return this.of(loginName).find((account) => account.authConfigId === authConfigId);
  }

  /** By all sources. */
  of(loginName: string): readonly KnownAccount[] {
    return [...(this.#byUser.get(keyOf(loginName))?.values() ?? [])];
  }

  /** Notes the account a user has logged in by. `mayLink` is asked in turn, with the account that had the name, and throws to refuse. */
  note(
    authConfigId: string,
    loginName: string,
    account: Pick<ProviderAccount, 'issuer' | 'subject' | 'groups'>,
    mayLink: (linked: KnownAccount | undefined) => void,
  ): Promise<void> {
    const { database, serialWrites, users } = this.#parts;
    const known: KnownAccount = {
      authConfigId,
      userKey: keyOf(loginName),
      issuer: account.issuer,
      subject: account.subject,
      groups: account.groups,
    };
    return serialWrites.run(async () => {
      users.mustKnow(loginName); // they may have been deleted since they were let in
      mayLink(this.find(authConfigId, loginName));
      const { auth_config_id: _, user_key: __, ...changed } = toRow(known, database.now());
      const put = database.query
        .insertInto('provider_accounts')
        .values(toRow(known, database.now()))
        .onConflict((conflict) => conflict.columns(['auth_config_id', 'user_key']).doUpdateSet(changed))
        .compile();
      await database.writeTransaction([put]);
      this.#remember(known);
      this.#written++;
    });
  }

  /** Notes the groups of a user whom their source knows by the login name alone. */
  async noteGroups(authConfigId: string, loginName: string, groups: readonly string[]): Promise<void> {
    const known = this.find(authConfigId, loginName)?.groups ?? [];
    const isSame = known.length === groups.length && groups.every((group) => known.includes(group));
    if (!isSame) await this.note(authConfigId, loginName, { issuer: '', subject: '', groups }, () => {});
  }

  /** Forgets those of an authorization configuration that is gone, or is another provider now. */
  async removeOfSource(authConfigId: string): Promise<void> {
    const { database, serialWrites } = this.#parts;
    await serialWrites.run(async () => {
      const removal = database.query.deleteFrom('provider_accounts').where('auth_config_id', '=', authConfigId).compile();
      await database.writeTransaction([removal]);
      for (const accounts of this.#byUser.values()) accounts.delete(authConfigId);
      this.#written++;
      this.#forgotten++;
    });
  }

  #remember(account: KnownAccount): void {
    this.#byUser.getOrInsertComputed(account.userKey, () => new Map()).set(account.authConfigId, account);
  }
}

function fromRow(row: ProviderAccountRow): KnownAccount {
  const { auth_config_id: authConfigId, user_key: userKey, issuer, subject } = row;
  return { authConfigId, userKey, issuer, subject, groups: JSON.parse(row.groups) as string[] };
}

function toRow({ authConfigId, userKey, issuer, subject, groups }: KnownAccount, seenAt: number): ProviderAccountRow {
  return { auth_config_id: authConfigId, user_key: userKey, issuer, subject, groups: JSON.stringify(groups), seen_at: seenAt };
}
