// Personal access tokens: stored only as hashes, shown once.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../kit/bytes/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Database } from '../../store/database.ts';
import { type DecideOptions, SerialTableWrites, type TableChange } from '../../store/serial-table-writes.ts';
import { type NewEvent, withoutEvents } from '../../store/write-with-events.ts';
import { TokenUse } from '../scopes/token-use.ts';
import {
  draftToken,
  endingBy,
  hasExpired,
  revokedBy,
  successorOf,
  type Token,
  type TokenOwner,
  type TokenRequest,
  usedScopesOf,
} from './token.ts';
import { tokenCreated, tokenExpired, tokenRevoked, tokenRotated } from './token-events.ts';

/** Of one user, not counting those that are revoked. Each is kept for ever, with its events. */
const MAX_TOKENS = 1000;
const TOO_MANY = `You have ${MAX_TOKENS} access tokens already. Revoke some that you no longer need.`;
const TOKEN_BYTES = 20;
const WELL_FORMED = /^[0-9a-f]{40}$/;

export interface NewToken {
  readonly token: Token;
  /** Shown once. */
  readonly secret: string;
}

interface NewTokenParts {
  readonly request: TokenRequest;
  readonly owner: TokenOwner;
  readonly now: Date;
}

export class Tokens {
  readonly #database: Database;
  readonly #serialWrites: SerialTableWrites;
  readonly #byId = new Map<number, Token>();
  readonly #byHash = new Map<string, Token>();
  readonly #lastUses = new Map<number, number>();
  readonly #uses = new Map<number, TokenUse>();
  #lastId = 0;
  generation = 0;

  private constructor(database: Database, serialWrites: SerialTableWrites) {
    this.#database = database;
    this.#serialWrites = serialWrites;
  }

  /** `serialWrites` are shared with the table of users, and write tokens together with the events that report them. */
  static async load(database: Database, serialWrites = new SerialTableWrites(withoutEvents(database), database)): Promise<Tokens> {
    const tokens = new Tokens(database, serialWrites);
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

  /** The token for the secret that a client sent. Looking up a hash reveals nothing about tokens that are merely similar. */
  findBySecret(secret: string): Token | undefined {
    return WELL_FORMED.test(secret) ? this.#byHash.get(sha256(secret)) : undefined;
  }

  /** `mayHave` is asked when their turn has come, and throws when they may have none any more. */
  create(request: TokenRequest, owner: TokenOwner, mayHave: () => void, by = owner.loginName): Promise<NewToken> {
    return this.#serialWrites.change(() => {
      mayHave();
      const { result, change } = this.#creation({ request, owner, now: new Date() }, (token) => tokenCreated(token, by));
      return { result, changes: [change] };
    });
  }

  /** Makes a token that takes the place of another one, which ends after the overlap. `decide` names it, or throws when that must not be. */
  rotate(decide: () => Token, overlapMs: number, by: string): Promise<NewToken> {
    return this.#serialWrites.change(() => {
      const old = decide();
      const now = new Date();
      const ending = endingBy(old, now.getTime() + overlapMs);
      const owner = { loginName: old.login_name, authConfigId: old.auth_config_id };
      const request = successorOf(old, now);
      const { result, change } = this.#creation({ request, owner, now }, (token) => tokenRotated(ending, token, by));
      const { expires_at } = ending;
      const update = this.#database.query.updateTable('access_tokens').set({ expires_at }).where('id', '=', old.id).compile();
      const shortening: TableChange = {
        writes: [{ events: [], statements: [update] }],
        remember: () => {
          this.#remember(ending);
          this.generation++;
        },
      };
      return { result, changes: [change, shortening] };
    });
  }

  #creation({ request, owner, now }: NewTokenParts, eventOf: (token: Token) => NewEvent): { result: NewToken; change: TableChange } {
    if (this.#activeOf(owner.loginName) >= MAX_TOKENS) throw new Refusal('invalid', TOO_MANY);
    const secret = randomBytes(TOKEN_BYTES).toString('hex');
    const token = { id: ++this.#lastId, ...draftToken(request, owner, sha256(secret), now) }; // in the order of a row, so that its ETag is the same after a restart
    const insert = this.#database.query.insertInto('access_tokens').values(token).compile();
    const writes = [{ events: [eventOf(token)], statements: [insert] }];
    return { result: { token, secret }, change: { writes, remember: () => this.#remember(token) } };
  }

  /** `decide` names the token, or throws when it must not be revoked. */
  revoke(decide: () => Token, by: string, cause: () => string | null, options?: DecideOptions): Promise<Token> {
    return this.#serialWrites.change(() => {
      const token = decide();
      const revoked = revokedBy(by, cause(), new Date())(token);
      return { result: revoked, changes: [this.#revoking([revoked])] };
    }, options);
  }

  /** Revokes every token of which this is true, and says why. */
  async revokeAll(isMeant: (token: Token) => boolean, by: string, cause: string): Promise<void> {
    await this.#serialWrites.change(() => ({ result: undefined, changes: [this.revocation(isMeant, by, cause)] }));
  }

  /** Revokes tokens like `revokeAll`, as a part of another change. */
  revocation(isMeant: (token: Token) => boolean, by: string, cause: string, isUserDeleted = false): TableChange {
    const meant = this.all().filter((token) => token.revoked_at === null && isMeant(token));
    return this.#revoking(meant.map(revokedBy(by, cause, new Date(), isUserDeleted)));
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

  /** The record of the scopes that requests with this token have needed. */
  useOf(id: number): TokenUse {
    return this.#uses.getOrInsertComputed(id, () => new TokenUse());
  }

  /** Writes one event for each token that has expired. */
  async reportExpired(now = Date.now()): Promise<void> {
    const isToReport = (token: Token) => token.expired_at === null && token.revoked_at === null && hasExpired(token, now);
    if (!this.all().some(isToReport)) return;
    const expired_at = new Date(now).toISOString();
    const { query } = this.#database;
    const statementFor = ({ id }: Token) => query.updateTable('access_tokens').set({ expired_at }).where('id', '=', id).compile();
    await this.#serialWrites.change(() => {
      const expired = this.all().filter(isToReport);
      const writes = expired.map((token) => ({ events: [tokenExpired(token)], statements: [statementFor(token)] }));
      const remember = () => {
        for (const token of expired) this.#remember({ ...token, expired_at });
      };
      return { result: undefined, changes: [{ writes, remember }] };
    });
  }

  /** To be called now and then: the times may lag, logins may not wait for them. */
  async writeLastUses(): Promise<void> {
    const uses = [...this.#lastUses];
    if (uses.length === 0) return;
    await this.#serialWrites.change(() => ({ result: undefined, changes: [this.#writingUses(uses)] }));
  }

  #writingUses(uses: readonly (readonly [id: number, at: number])[]): TableChange {
    const { query } = this.#database;
    const used = uses.map(([id, at]) => {
      const known = this.#byId.get(id)!;
      const use = this.#uses.get(id);
      const used_scopes = use?.isNew ? JSON.stringify(use.joined(usedScopesOf(known))) : known.used_scopes;
      const token = { ...known, last_used_at: new Date(at).toISOString(), used_scopes };
      return { at, token, noted: use?.noted ?? 0 };
    });
    const statements = used.map(({ token: { id, last_used_at, used_scopes } }) =>
      query.updateTable('access_tokens').set({ last_used_at, used_scopes }).where('id', '=', id).compile(),
    );
    const remember = () => {
      for (const { at, token, noted } of used) {
        this.#uses.get(token.id)?.markWritten(noted);
        if (this.#lastUses.get(token.id) === at) this.#lastUses.delete(token.id);
        this.#remember(token);
      }
    };
    return { writes: [{ events: [], statements }], remember };
  }

  #remember(token: Token): void {
    this.#byId.set(token.id, token);
    this.#byHash.set(token.hash, token);
    this.#lastId = Math.max(this.#lastId, token.id);
  }
}
