// The people the server knows: kept in memory, written through to their table.
import type { CompiledQuery } from 'kysely';
import { loginKey } from '../../shape/login-name.ts';
import type { Database } from '../../store/database.ts';
import type { UserRow } from '../../store/rows/users.ts';
import { type DecideOptions, SerialTableWrites, type TableChange } from '../../store/serial-table-writes.ts';
import { type NewEvent, withoutEvents } from '../../store/write-with-events.ts';
import { unauthenticated } from '../login/refusals.ts';
import { LookAlikeIndex } from './look-alike-index.ts';

export interface User {
  readonly loginName: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly email: string;
  readonly emailMe: boolean;
  readonly checkinAliases: readonly string[];
  /** When, in milliseconds: distinguishes the user from a deleted one of the same name. 0: before this was recorded. */
  readonly addedAt: number;
  /** The account of a program, which logs in with access tokens only; absent: a person. */
  readonly serviceAccount?: ServiceAccount;
}

export interface ServiceAccount {
  /** The purpose of the account. */
  readonly description: string;
  /** The login name of the user who answers for it. */
  readonly owner: string;
}

export interface ChangeOptions extends DecideOptions {
  /** The events that report the change. */
  eventsOf?(users: readonly User[]): readonly NewEvent[];
}

export class Users {
  readonly #database: Database;
  readonly #serialWrites: SerialTableWrites;
  readonly #byKey = new Map<string, User>();
  readonly #lookAlikes = new LookAlikeIndex();
  readonly #onRemoval: ((key: string) => void)[] = [];
  /** Grows with each change that makes cached logins stale: values derived from a user are valid while it stays the same. */
  generation = 0;

  private constructor(database: Database, serialWrites: SerialTableWrites) {
    this.#database = database;
    this.#serialWrites = serialWrites;
  }

  /** `serialWrites` are shared with the tables of tokens, sessions and other data of users. */
  static async load(database: Database, serialWrites = new SerialTableWrites(withoutEvents(database), database)): Promise<Users> {
    const users = new Users(database, serialWrites);
    await users.reload();
    return users;
  }

  /** Reads the table, which may have been written by another server. */
  async reload(): Promise<void> {
    const rows = await this.#database.query.selectFrom('users').selectAll().execute();
    const gone = new Set(this.#byKey.keys());
    for (const row of rows) {
      gone.delete(row.key);
      this.#remember(row.key, fromRow(row));
    }
    for (const key of gone) this.#forget(key);
    this.generation++;
  }

  find(loginName: string): User | undefined {
    // Names of earlier versions are kept as they were written.
    return this.#byKey.get(keyOf(loginName)) ?? this.#byKey.get(loginKey(loginName));
  }

  /** Another user whose name looks the same. */
  findLookAlike(loginName: string): User | undefined {
    const key = this.#lookAlikes.find(loginName, keyOf(loginName));
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  all(): readonly User[] {
    return [...this.#byKey.values()];
  }

  /** A user who was let in; they may have been deleted since. */
  mustKnow(loginName: string): User {
    const user = this.find(loginName);
    if (!user) throw unauthenticated();
    return user;
  }

  /** Called when a user is removed, before another user can get the name. */
  listenToRemovals(listener: (key: string) => void): void {
    this.#onRemoval.push(listener);
  }

  /** Adds or changes the users that `decide` returns. Concurrent changes wait until they are written. */
  change<const T extends readonly User[]>(decide: () => T, options?: ChangeOptions): Promise<T> {
    return this.#serialWrites.change(() => {
      const users = decide();
      return { result: users, changes: [this.#saving(users, options?.eventsOf?.(users))] };
    }, options);
  }

  /** Removes users together with the data they own, and applies `extraStatements` to other tables in the same transaction. */
  remove<const T extends readonly User[]>(
    decide: () => T,
    extraStatements: (removed: T) => TableChange,
    options?: DecideOptions,
  ): Promise<T> {
    return this.#serialWrites.change(() => {
      const users = decide();
      return { result: users, changes: [extraStatements(users), this.#removal(users)] };
    }, options);
  }

  #remember(key: string, user: User): void {
    this.#byKey.set(key, user);
    this.#lookAlikes.add(user.loginName, key);
  }

  #forget(key: string): void {
    this.#lookAlikes.remove(this.#byKey.get(key)?.loginName ?? '', key);
    this.#byKey.delete(key);
    for (const listener of this.#onRemoval) listener(key);
  }

  #saving(users: readonly User[], events: readonly NewEvent[] = []): TableChange {
    const disabled = users.filter(({ enabled }) => !enabled).map(({ loginName }) => keyOf(loginName));
    const statements = [...users.map((user) => this.#put(toRow(user))), ...(disabled.length > 0 ? [this.#endingSessions(disabled)] : [])];
    return {
      writes: [{ events, statements }],
      remember: () => {
        if (users.some((user) => this.#isOtherwiseKnown(user))) this.generation++;
        for (const user of users) this.#remember(keyOf(user.loginName), user);
      },
    };
  }

  /** Whether cached logins become stale. Settings that users change themselves do not matter: all users would have to be checked anew. */
  #isOtherwiseKnown({ loginName, displayName, enabled }: User): boolean {
    const known = this.find(loginName);
    return known?.loginName !== loginName || known.displayName !== displayName || known.enabled !== enabled;
  }

  #put(row: UserRow): CompiledQuery {
    const { key: _, added_at: __, ...changed } = row;
    return this.#database.query
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed))
      .compile();
  }

  /** Otherwise they would be logged in again as soon as they are enabled, or there, again. */
  #endingSessions(keys: readonly string[]): CompiledQuery {
    return this.#database.query.deleteFrom('sessions').where('user_key', 'in', keys).compile();
  }

  #removal(users: readonly User[]): TableChange {
    const keys = users.map(({ loginName }) => keyOf(loginName));
    const { query } = this.#database;
    const statements = [
      query.deleteFrom('notification_filters').where('user_key', 'in', keys).compile(),
      query.deleteFrom('dashboard_views').where('user_key', 'in', keys).compile(),
      query.deleteFrom('provider_accounts').where('user_key', 'in', keys).compile(),
      this.#endingSessions(keys),
      query.deleteFrom('users').where('key', 'in', keys).compile(),
    ];
    return {
      writes: [{ events: [], statements }],
      remember: () => {
        for (const key of keys) this.#forget(key);
        this.generation++;
      },
    };
  }
}

/** Programs never do: they send tokens with each request. */
export function canLogIn({ enabled, serviceAccount }: User): boolean {
  return enabled && !serviceAccount;
}

export function keyOf(loginName: string): string {
  return loginName.toLowerCase();
}

function fromRow(row: UserRow): User {
  return {
    loginName: row.login_name,
    displayName: row.display_name,
    enabled: row.enabled === 1,
    email: row.email,
    emailMe: row.email_me === 1,
    checkinAliases: JSON.parse(row.checkin_aliases) as string[],
    addedAt: row.added_at,
    ...(row.is_service_account === 1 && { serviceAccount: { description: row.description, owner: row.owner } }),
  };
}

function toRow(user: User): UserRow {
  return {
    key: keyOf(user.loginName),
    login_name: user.loginName,
    display_name: user.displayName,
    enabled: user.enabled ? 1 : 0,
    email: user.email,
    email_me: user.emailMe ? 1 : 0,
    checkin_aliases: JSON.stringify(user.checkinAliases),
    is_service_account: user.serviceAccount ? 1 : 0,
    description: user.serviceAccount?.description ?? '',
    owner: user.serviceAccount?.owner ?? '',
    added_at: user.addedAt,
  };
}

export function newUser(loginName: string, displayName = loginName, email = ''): User {
  return { loginName, displayName, enabled: true, email, emailMe: false, checkinAliases: [], addedAt: Date.now() };
}
