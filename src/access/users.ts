// The people the server knows: kept in memory, written through to their table.
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

  async save(user: User): Promise<void> {
    const row = toRow(user);
    const { key: _, ...changed } = row;
    const statement = this.#database.query
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed));
    await this.#database.writeAtOnce([statement.compile()]);
    this.#byKey.set(row.key, user);
    this.generation++;
  }
}

function keyOf(loginName: string): string {
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
