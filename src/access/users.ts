// The people the server knows: kept in memory, written through to their table.
import type { CompiledQuery } from 'kysely';
import type { Database } from '../store/database.ts';
import type { UserRow } from '../store/tables.ts';

export interface User {
  readonly loginName: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly email: string;
  readonly emailMe: boolean;
  readonly checkinAliases: readonly string[];
}

export class Users {
  readonly #database: Database;
  readonly #byKey = new Map<string, User>();
  /** Grows with each change: what was derived from a user can tell whether it still holds. */
  generation = 0;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async load(database: Database): Promise<Users> {
    const users = new Users(database);
    for (const row of await database.query.selectFrom('users').selectAll().execute()) users.#byKey.set(row.key, fromRow(row));
    return users;
  }

  find(loginName: string): User | undefined {
    return this.#byKey.get(keyOf(loginName));
  }

  all(): readonly User[] {
    return [...this.#byKey.values()];
  }

  async save(...users: readonly User[]): Promise<void> {
    await this.#database.writeAtOnce(users.map((user) => this.#put(toRow(user))));
    for (const user of users) this.#byKey.set(keyOf(user.loginName), user);
    this.generation++;
  }

  #put(row: UserRow): CompiledQuery {
    const { key: _, ...changed } = row;
    return this.#database.query
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed))
      .compile();
  }

  /** Removes users together with what is theirs alone. */
  async remove(loginNames: readonly string[]): Promise<void> {
    const keys = loginNames.map(keyOf);
    const { query } = this.#database;
    await this.#database.writeAtOnce([
      query.deleteFrom('notification_filters').where('user_key', 'in', keys).compile(),
      query.deleteFrom('users').where('key', 'in', keys).compile(),
    ]);
    for (const key of keys) this.#byKey.delete(key);
    this.generation++;
  }
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
  };
}

export function newUser(loginName: string, displayName = loginName, email = ''): User {
  return { loginName, displayName, enabled: true, email, emailMe: false, checkinAliases: [] };
}
