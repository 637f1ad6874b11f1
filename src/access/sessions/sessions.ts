// The table of browser sessions. Sessions in use are kept in memory; a write by another server makes this one read them again.
import type { CompiledQuery } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../../store/database.ts';
import type { SessionRow } from '../../store/rows/users.ts';
import type { SerialTableWrites } from '../../store/serial-table-writes.ts';
import { expiryOf, type Session, type SessionLimits } from './session.ts';

export interface SessionsParts {
  readonly database: Database;
  /** Shared with the table of users: disabling one ends their sessions. */
  readonly serialWrites: SerialTableWrites;
  readonly limits: SessionLimits;
  /** Another number as soon as users have changed: sessions of theirs may have ended. */
  usersGeneration(): number;
  readonly now?: () => number;
}

/** Of one user: the oldest makes room for the next. */
const MAX_SESSIONS = 100;
const MAX_KNOWN = 10_000;
const MAX_UPDATES = 500;

export class Sessions {
  readonly limits: SessionLimits;
  readonly #database: Database;
  readonly #serialWrites: SerialTableWrites;
  readonly #usersGeneration: () => number;
  readonly now: () => number;
  readonly #known = new Map<string, Session>();
  /** Sessions found to have ended when a stream asked. */
  readonly #ended = new Set<string>();
  /** When sessions were used here, as far as the table does not say so yet. */
  readonly #uses = new Map<string, number>();
  #generation = 0;
  #users: number;

  constructor({ database, serialWrites, limits, usersGeneration, now = () => database.now() }: SessionsParts) {
    this.#database = database;
    this.#serialWrites = serialWrites;
    this.limits = limits;
    this.#usersGeneration = usersGeneration;
    this.now = now;
    this.#users = usersGeneration();
  }

  /** Another server has written: the sessions in memory may be outdated. */
  forget(): void {
    this.#generation++;
    this.#known.clear();
  }

  /** A session that is in memory and lasts. */
  known(hash: string): Session | undefined {
    this.#lookAtUsers();
    const session = this.#known.get(hash);
    return session && this.#lasts(session) ? session : undefined;
  }

  /** A session that lasts. */
  async find(hash: string): Promise<Session | undefined> {
    const known = this.known(hash);
    if (known) return known;
    const generation = this.#generation;
    const row = await this.#database.query.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst();
    const session = row && this.#fromRow(row);
    if (!session || !this.#lasts(session)) return undefined;
    this.#lookAtUsers();
    // A session that was ended while it was being read must not stay in memory.
    if (generation === this.#generation) this.#remember(session);
    return session;
  }

  /** For streams, which ask now and then: an end that only the table knows of is known the next time. */
  isOpen(hash: string, onFailure: (failure: unknown) => void): boolean {
    if (this.known(hash)) return true;
    this.find(hash).then((session) => {
      if (session) return;
      if (this.#ended.size >= MAX_KNOWN) this.#ended.clear();
      this.#ended.add(hash);
    }, onFailure);
    return !this.#ended.has(hash);
  }

  /** The sessions of a user, newest first. */
  async of(userKey: string): Promise<readonly Session[]> {
    const rows = await this.#rowsOf(userKey);
    return rows.map((row) => this.#fromRow(row)).filter((session) => this.#lasts(session));
  }

  /** `mayBegin` is asked when its turn has come, and throws when the user may have none any more. `former` is one that ends with it. */
  begin(session: Session, mayBegin: () => void, former: string | undefined): Promise<void> {
    return this.#serialWrites.run(async () => {
      mayBegin();
      const rows = await this.#rowsOf(session.userKey);
      const gone = rows.slice(MAX_SESSIONS - 1).map(({ hash }) => hash);
      if (former !== undefined) gone.push(former);
      const insert = this.#database.query.insertInto('sessions').values(toRow(session)).compile();
      await this.#database.writeTransaction([...(gone.length > 0 ? [this.#deletion(gone)] : []), insert]);
      this.#drop(gone);
      this.#remember(session);
    });
  }

  end(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return Promise.resolve();
    return this.#serialWrites.run(async () => {
      await this.#database.writeTransaction([this.#deletion(hashes)]);
      this.#drop(hashes);
    });
  }

  /** Ends those of an authorization configuration that is gone, or is another provider now. */
  async endOfSource(authConfigId: string): Promise<void> {
    const rows = await this.#database.query.selectFrom('sessions').select('hash').where('auth_config_id', '=', authConfigId).execute();
    await this.#endInSlices(rows);
  }

  /** Ends those of which a provider says so: of one session there, or of all that a user has. */
  async endOfProvider(
    authConfigId: string,
    ended: { readonly subject: string | undefined; readonly session: string | undefined },
  ): Promise<number> {
    let rows = this.#database.query.selectFrom('sessions').select('hash').where('auth_config_id', '=', authConfigId);
    if (ended.subject !== undefined) rows = rows.where('subject', '=', ended.subject);
    if (ended.session !== undefined) rows = rows.where('provider_session', '=', ended.session);
    const found = await rows.where('subject', '<>', '').execute();
    await this.#endInSlices(found);
    return found.length;
  }

  /** The sessions of all users, newest first. */
  async all(): Promise<readonly Session[]> {
    const rows = await this.#database.query.selectFrom('sessions').selectAll().orderBy('created_at', 'desc').orderBy('hash').execute();
    return rows.map((row) => this.#fromRow(row)).filter((session) => this.#lasts(session));
  }

  async removeExpired(): Promise<void> {
    await this.writeUses();
    const { idleMs, maxAgeMs } = this.limits;
    const now = this.now();
    const rows = await this.#database.query
      .selectFrom('sessions')
      .select('hash')
      .where((row) => row.or([row('used_at', '<', now - idleMs), row('created_at', '<', now - maxAgeMs)]))
      .execute();
    await this.#endInSlices(rows);
  }

  noteUse({ hash }: Pick<Session, 'hash'>): void {
    const known = this.#known.get(hash);
    const now = this.now();
    this.#uses.set(hash, now);
    if (known) this.#known.set(hash, { ...known, usedAt: now });
  }

  /** To be called now and then: the times may lag, requests may not wait for them. */
  async writeUses(): Promise<void> {
    const uses = [...this.#uses];
    for (const some of chunksOf(uses, MAX_UPDATES)) {
      await this.#database.writeRelaxed(some.map(([hash, at]) => this.#use(hash, at)));
      for (const [hash, at] of some) if (this.#uses.get(hash) === at) this.#uses.delete(hash);
    }
  }

  #use(hash: string, at: number): CompiledQuery {
    const update = this.#database.query.updateTable('sessions').set({ used_at: at });
    return update.where('hash', '=', hash).where('used_at', '<', at).compile();
  }

  #rowsOf(userKey: string): Promise<SessionRow[]> {
    const rows = this.#database.query.selectFrom('sessions').selectAll().where('user_key', '=', userKey);
    return rows.orderBy('created_at', 'desc').orderBy('hash').execute();
  }

  #deletion(hashes: readonly string[]): CompiledQuery {
    return this.#database.query.deleteFrom('sessions').where('hash', 'in', hashes).compile();
  }

  async #endInSlices(rows: readonly { readonly hash: string }[]): Promise<void> {
    for (const some of chunksOf(rows, MAX_UPDATES)) {
      await this.end(some.map(({ hash }) => hash));
    }
  }

  #drop(hashes: readonly string[]): void {
    this.#generation++;
    for (const hash of hashes) {
      this.#known.delete(hash);
      this.#uses.delete(hash);
    }
  }

  #lookAtUsers(): void {
    const generation = this.#usersGeneration();
    if (generation === this.#users) return;
    this.#users = generation;
    this.forget();
  }

  #lasts(session: Session): boolean {
    return this.now() < expiryOf(session, this.limits);
  }

  #remember(session: Session): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(session.hash, session);
  }

  #fromRow(row: SessionRow): Session {
    return {
      hash: row.hash,
      userKey: row.user_key,
      authConfigId: row.auth_config_id,
      passwordVersion: row.password_mark,
      createdAt: row.created_at,
      usedAt: Math.max(row.used_at, this.#uses.get(row.hash) ?? 0),
      address: row.address,
      browser: row.browser,
      ...(row.subject !== '' && { provider: { subject: row.subject, session: row.provider_session, idToken: row.id_token } }),
    };
  }
}

function toRow(session: Session): SessionRow {
  return {
    hash: session.hash,
    user_key: session.userKey,
    auth_config_id: session.authConfigId,
    password_mark: session.passwordVersion,
    created_at: session.createdAt,
    used_at: session.usedAt,
    address: session.address,
    browser: session.browser,
    subject: session.provider?.subject ?? '',
    provider_session: session.provider?.session ?? '',
    id_token: session.provider?.idToken ?? '',
  };
}
