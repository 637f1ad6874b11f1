// Personal access tokens: stored only as hashes, shown once.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../kit/bytes/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Database } from '../../store/database.ts';
import { type DecideOptions, SerialTableWrites, type TableChange } from '../../store/serial-table-writes.ts';
import { withoutEvents } from '../../store/write-with-events.ts';
import type { Token } from './token.ts';
import { tokenCreated, tokenRevoked } from './token-events.ts';

/** Of one user, not counting those that are revoked. Each is kept for ever, with its events. */
const MAX_TOKENS = 1000;
const TOO_MANY = `You have ${MAX_TOKENS} access tokens already. Revoke some that you no longer need.`;
const TOKEN_BYTES = 20;
const WELL_FORMED = /^[0-9a-f]{40}$/;

export class Tokens {
  readonly #database: Database;
  readonly #turns: SerialTableWrites;
  readonly #byId = new Map<number, Token>();
  readonly #byHash = new Map<string, Token>();
  readonly #lastUses = new Map<number, number>();
  #lastId = 0;
  generation = 0;

  private constructor(database: Database, turns: SerialTableWrites) {
    this.#database = database;
    this.#turns = turns;
  }

  /** `turns` are shared with the table of users, and write tokens together with the events that tell of them. */
  static async load(database: Database, turns = new SerialTableWrites(withoutEvents(database), database)): Promise<Tokens> {
    const tokens = new Tokens(database, turns);
    await tokens.reload();
    return tokens;
  }

  /** Reads the table, which may have been written by another server. None of it ever goes. */
  async reload(): Promise<void> {
    for (const row of await this.#database.query.selectFrom('access_tokens').selectAll().orderBy('id').execute()) this.#remember(row);
    this.generation++;
  }

  find(id: number): Token | undefined {
    return this.#byId.get(id);
  }

  all(): readonly Token[] {
    return [...this.#byId.values()];
  }

  /** The token behind what a client sent. Looking up a hash tells nothing about tokens that are merely similar. */
  findBySecret(secret: string): Token | undefined {
    return WELL_FORMED.test(secret) ? this.#byHash.get(sha256(secret)) : undefined;
  }

  /** `mayHave` is asked when their turn has come, and throws when they may have none any more. */
  create(description: string, loginName: string, authConfigId: string, mayHave: () => void): Promise<{ token: Token; secret: string }> {
    const secret = randomBytes(TOKEN_BYTES).toString('hex');
    const values = draftToken(description, loginName, authConfigId, sha256(secret));
    return this.#turns.change(() => {
      mayHave();
      if (this.#activeOf(loginName) >= MAX_TOKENS) throw new Refusal('invalid', TOO_MANY);
      const token = { id: ++this.#lastId, ...values }; // in the order of a row, so that its ETag is the same after a restart
      const insert = this.#database.query.insertInto('access_tokens').values(token).compile();
      const writes = [{ events: [tokenCreated(token)], statements: [insert] }];
      return { result: { token, secret }, changes: [{ writes, remember: () => this.#remember(token) }] };
    });
  }

  /** `decide` names the token, or throws when it must not be revoked. */
  revoke(decide: () => Token, by: string, cause: () => string | null, options?: DecideOptions): Promise<Token> {
    return this.#turns.change(() => {
      const token = decide();
      const revoked = revokedBy(by, cause())(token);
      return { result: revoked, changes: [this.#revoking([revoked])] };
    }, options);
  }

  /** Revokes every token of which this is true, and says why. */
  async revokeAll(isMeant: (token: Token) => boolean, by: string, cause: string): Promise<void> {
    await this.#turns.change(() => ({ result: undefined, changes: [this.revocation(isMeant, by, cause)] }));
  }

  /** The same as a part of another change. */
  revocation(isMeant: (token: Token) => boolean, by: string, cause: string, isUserDeleted = false): TableChange {
    const meant = this.all().filter((token) => token.revoked_at === null && isMeant(token));
    return this.#revoking(meant.map(revokedBy(by, cause, isUserDeleted)));
  }

  #activeOf(loginName: string): number {
    let count = 0;
    for (const token of this.#byId.values()) if (token.revoked_at === null && token.login_name === loginName) count++;
    return count;
  }

  #revoking(revoked: readonly Token[]): TableChange {
    const { query } = this.#database;
    const update = ({ id, revoked_at, revoked_by, revoke_cause, revoked_because_user_deleted }: Token) => {
      const change = { revoked_at, revoked_by, revoke_cause, revoked_because_user_deleted };
      return query.updateTable('access_tokens').set(change).where('id', '=', id).compile();
    };
    return {
      writes: revoked.map((token) => ({ events: [tokenRevoked(token)], statements: [update(token)] })),
      remember: () => {
        for (const token of revoked) this.#remember(token);
        if (revoked.length > 0) this.generation++;
      },
    };
  }

  noteUse(id: number): void {
    this.#lastUses.set(id, Date.now());
  }

  /** To be called now and then: the times may lag, logins may not wait for them. */
  async writeLastUses(): Promise<void> {
    const uses = [...this.#lastUses].map(([id, at]) => [id, new Date(at).toISOString()] as const);
    if (uses.length === 0) return;
    const { query } = this.#database;
    const update = ([id, last_used_at]: (typeof uses)[number]) =>
      query.updateTable('access_tokens').set({ last_used_at }).where('id', '=', id).compile();
    const remember = () => {
      for (const [id, last_used_at] of uses) {
        if (this.#lastUses.get(id) === Date.parse(last_used_at)) this.#lastUses.delete(id);
        this.#remember({ ...this.#byId.get(id)!, last_used_at });
      }
    };
    const writes = [{ events: [], statements: uses.map(update) }];
    await this.#turns.change(() => ({ result: undefined, changes: [{ writes, remember }] }));
  }

  #remember(token: Token): void {
    this.#byId.set(token.id, token);
    this.#byHash.set(token.hash, token);
    this.#lastId = Math.max(this.#lastId, token.id);
  }
}

export function draftToken(description: string, loginName: string, authConfigId: string, hash: string): Omit<Token, 'id'> {
  return {
    hash,
    description,
    login_name: loginName,
    auth_config_id: authConfigId,
    created_at: new Date().toISOString(),
    last_used_at: null,
    revoked_at: null,
    revoked_by: null,
    revoke_cause: null,
    revoked_because_user_deleted: 0,
  };
}

function revokedBy(by: string, cause: string | null, isUserDeleted = false): (token: Token) => Token {
  const revoked = { revoked_at: new Date().toISOString(), revoked_by: by, revoke_cause: cause };
  return (token) => ({ ...token, ...revoked, revoked_because_user_deleted: isUserDeleted ? 1 : 0 });
}
