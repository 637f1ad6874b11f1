// Personal access tokens: stored only as hashes, shown once.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../kit/hash.ts';
import type { Database } from '../store/database.ts';
import type { TokenRow } from '../store/tables.ts';
import { untold, type WriteTold } from '../store/told-write.ts';
import { tokenCreated, tokenRevoked } from './token-events.ts';

export type Token = Readonly<Omit<TokenRow, 'id'>> & { readonly id: number };

const TOKEN_BYTES = 20;
const WELL_FORMED = /^[0-9a-f]{40}$/;

export class Tokens {
  readonly #database: Database;
  readonly #write: WriteTold;
  readonly #byId = new Map<number, Token>();
  readonly #byHash = new Map<string, Token>();
  readonly #lastUses = new Map<number, number>();
  #lastId = 0;
  generation = 0;

  private constructor(database: Database, write: WriteTold) {
    this.#database = database;
    this.#write = write;
  }

  /** `write` puts tokens on disk together with the events that tell of them. */
  static async load(database: Database, write: WriteTold = untold(database)): Promise<Tokens> {
    const tokens = new Tokens(database, write);
    for (const row of await database.query.selectFrom('access_tokens').selectAll().orderBy('id').execute()) tokens.#remember(row);
    return tokens;
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

  async create(description: string, loginName: string, authConfigId: string): Promise<{ token: Token; secret: string }> {
    const secret = randomBytes(TOKEN_BYTES).toString('hex');
    const values = draftToken(description, loginName, authConfigId, sha256(secret));
    const token = { id: ++this.#lastId, ...values }; // in the order of a row, so that its ETag is the same after a restart
    const insert = this.#database.query.insertInto('access_tokens').values(token).compile();
    await this.#write([{ events: [tokenCreated(token)], statements: [insert] }]);
    this.#remember(token);
    return { token, secret };
  }

  async revoke(token: Token, by: string, cause: string | null): Promise<Token> {
    const revoked = { ...token, revoked_at: new Date().toISOString(), revoked_by: by, revoke_cause: cause };
    const { id, revoked_at, revoked_by, revoke_cause } = revoked;
    const { query } = this.#database;
    const update = query.updateTable('access_tokens').set({ revoked_at, revoked_by, revoke_cause }).where('id', '=', id).compile();
    await this.#write([{ events: [tokenRevoked(revoked)], statements: [update] }]);
    this.#remember(revoked);
    this.generation++;
    return revoked;
  }

  /** Revokes every token of which this is true, and says why. */
  async revokeAll(isMeant: (token: Token) => boolean, by: string, cause: string, isUserDeleted = false): Promise<void> {
    const meant = this.all().filter((token) => token.revoked_at === null && isMeant(token));
    if (meant.length === 0) return;
    const change = {
      revoked_at: new Date().toISOString(),
      revoked_by: by,
      revoke_cause: cause,
      revoked_because_user_deleted: isUserDeleted ? 1 : 0,
    };
    const { query } = this.#database;
    const revoked = meant.map((token) => ({ ...token, ...change }));
    await this.#write(
      revoked.map((token) => ({
        events: [tokenRevoked(token)],
        statements: [query.updateTable('access_tokens').set(change).where('id', '=', token.id).compile()],
      })),
    );
    for (const token of revoked) this.#remember(token);
    this.generation++;
  }

  noteUse(id: number): void {
    this.#lastUses.set(id, Date.now());
  }

  /** To be called now and then: the times may lag, logins may not wait for them. */
  async writeLastUses(): Promise<void> {
    const uses = [...this.#lastUses].map(([id, at]) => [id, new Date(at).toISOString()] as const);
    if (uses.length === 0) return;
    const { query } = this.#database;
    await this.#database.writeAtOnce(
      uses.map(([id, last_used_at]) => query.updateTable('access_tokens').set({ last_used_at }).where('id', '=', id).compile()),
    );
    for (const [id, last_used_at] of uses) {
      if (this.#lastUses.get(id) === Date.parse(last_used_at)) this.#lastUses.delete(id);
      this.#remember({ ...this.#byId.get(id)!, last_used_at });
    }
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
