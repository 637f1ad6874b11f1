// The agents that this server knows: kept in memory while it runs builds, written through to their table.

import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/current.ts';
import type { Registration } from '../../contracts/agent-protocol/messages.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import { isEqualTimingSafe } from '../../kit/bytes/timing-safe-equal.ts';
import { type Clock, SYSTEM_CLOCK } from '../../kit/concurrency/clock.ts';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Database } from '../../store/database.ts';
import { type DecideOptions, SerialTableWrites, type TableChange } from '../../store/serial-table-writes.ts';
import type { CommitWithEvents } from '../../store/write-with-events.ts';
import { type Agent, agentFrom, rowFrom } from './agent.ts';
import { AgentEnvironments } from './agent-environments.ts';
import { agentDeleted, agentLost, agentRegistered, agentReturned, changeEvents } from './agent-events.ts';
import { AgentIndex } from './agent-index.ts';
import {
  ALREADY_ISSUED,
  checkKey,
  type KeyCheck,
  newAgent,
  returningAgent,
  waitingMessage,
  withJobEnvironment,
} from './decide-registration.ts';
import { FreeSpace } from './free-space.ts';
import { type OneTimeKey, OneTimeKeys } from './one-time-keys.ts';
import { RegistrationRateLimit } from './registration-rate-limit.ts';

export interface RegistryParts {
  readonly database: Database;
  readonly write: CommitWithEvents;
  readonly config: Config;
  /** In clear; undefined: there is none, and no key is right. */
  autoRegisterKey(): string | undefined;
  readonly clock?: Clock;
}

/** How an agent comes to the server. */
export interface Arrival {
  readonly token: string | undefined;
  readonly address: string;
}

export interface RegistrationResult {
  readonly agent: Agent;
  readonly isNew: boolean;
  /** Only when it is new, or has never used the one it got. */
  readonly token?: string;
  readonly message?: string;
}

const TOKEN_BYTES = 32;
export const UNKNOWN_TOKEN = 'The token is not that of an agent of this server. Without it the agent can register anew, by another uuid.';
const OTHER_UUID = 'The token is that of another agent.';
/** A short one could be guessed. */
const MIN_INSTANCE = 16;

export class AgentRegistry {
  readonly environments: AgentEnvironments;
  readonly freeSpace: FreeSpace;
  readonly #database: Database;
  readonly #serialWrites: SerialTableWrites;
  readonly #autoRegisterKey: RegistryParts['autoRegisterKey'];
  readonly #clock: Clock;
  readonly #index = new AgentIndex();
  readonly #oneTimeKeys: OneTimeKeys;
  readonly #registrationLimit: RegistrationRateLimit;
  /** The processes whose token has never been used: perhaps the answer with it was lost. */
  readonly #unproven = new Map<string, string>();
  readonly #listeners: ((uuid: string) => void)[] = [];
  #isStarted = false;

  constructor({ database, write, config, autoRegisterKey, clock = SYSTEM_CLOCK }: RegistryParts) {
    this.#database = database;
    this.#serialWrites = new SerialTableWrites(write, database);
    this.#autoRegisterKey = autoRegisterKey;
    this.#clock = clock;
    this.#oneTimeKeys = new OneTimeKeys(clock);
    this.#registrationLimit = new RegistrationRateLimit(clock);
    this.environments = new AgentEnvironments(config);
    this.freeSpace = new FreeSpace(database);
  }

  async start(): Promise<void> {
    const rows = await this.#database.query.selectFrom('agents').selectAll().orderBy('registered_at').orderBy('uuid').execute();
    this.#forget();
    for (const row of rows) {
      this.#index.put(agentFrom(row));
      this.freeSpace.load(row.uuid, row.free_space);
    }
    this.#isStarted = true;
  }

  /** Returns when nothing is being written any more. */
  async stop(): Promise<void> {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    await this.#serialWrites.run(() => this.freeSpace.write()).finally(() => this.#forget());
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Called with the uuid of an agent that has changed, or is gone, once that is on disk. */
  listen(listener: (uuid: string) => void): void {
    this.#listeners.push(listener);
  }

  all(): readonly Agent[] {
    this.#mustBeStarted();
    return [...this.#index.all()];
  }

  find(uuid: string): Agent | undefined {
    this.#mustBeStarted();
    return this.#index.find(uuid);
  }

  findByToken(token: string): Agent | undefined {
    this.#mustBeStarted();
    const agent = this.#index.findByToken(token);
    if (agent) this.#unproven.delete(agent.uuid);
    return agent;
  }

  issueOneTimeKey(options: OneTimeKey): string {
    this.#mustBeStarted();
    return this.#oneTimeKeys.issue(options);
  }

  restoreOneTimeKey(hash: string, issuedAt: number, options: OneTimeKey): void {
    this.#mustBeStarted();
    this.#oneTimeKeys.restore(hash, issuedAt, options);
  }

  register(request: Registration, arrival: Arrival, options: DecideOptions = {}): Promise<RegistrationResult> {
    return this.#serialWrites.change(() => {
      this.#mustBeStarted();
      const issued = request.key === undefined ? undefined : this.#oneTimeKeys.find(request.key);
      const registration = withJobEnvironment(request, issued);
      const known = this.#knownFor(registration, arrival);
      const mayEnable = known === undefined || known.configState === 'Pending';
      const key = mayEnable
        ? this.#checkKeyWithLimit(registration, issued, arrival)
        : checkKey(registration, issued, this.#autoRegisterKey());
      return known ? this.#returning(known, registration, arrival, key) : this.#newcomer(registration, arrival, key);
    }, options);
  }

  /** `decide` says how agents are to be, by how they are when it holds the mutex. */
  change<const T extends readonly Agent[]>(decide: () => T, actor: string, options: DecideOptions = {}): Promise<T> {
    return this.#serialWrites.change(() => {
      this.#mustBeStarted();
      const changed = decide();
      return { result: changed, changes: changed.map((agent) => this.#update(agent, actor)) };
    }, options);
  }

  /** `decide` names the agents, or throws when one of them must not go. */
  remove(decide: () => readonly Agent[], actor: string, options: DecideOptions = {}): Promise<readonly Agent[]> {
    return this.#serialWrites.change(() => {
      this.#mustBeStarted();
      const gone = decide();
      return { result: gone, changes: gone.map((agent) => this.#removal(agent, actor)) };
    }, options);
  }

  /** Reports an agent that has lost contact, or that has contact again. */
  async reportContact(uuid: string, change: 'lost' | 'returned'): Promise<void> {
    await this.#serialWrites.change(() => {
      const agent = this.#index.find(uuid);
      // An agent that no administrator has enabled is not expected to keep contact.
      if (!agent || agent.configState === 'Pending') return { result: undefined, changes: [] };
      const event = change === 'lost' ? agentLost(agent) : agentReturned(agent);
      return { result: undefined, changes: [{ writes: [{ events: [event], statements: [] }], remember: () => {} }] };
    });
  }

  /** For an agent that the right key would enable: its answer reveals whether a key is right. Dry runs count, too. */
  #checkKeyWithLimit(registration: Registration, issued: OneTimeKey | undefined, { address }: Arrival): KeyCheck {
    if (registration.key !== undefined && !issued) this.#registrationLimit.checkKeys(address);
    const check = checkKey(registration, issued, this.#autoRegisterKey());
    if (check === 'wrong') this.#registrationLimit.noteWrongKey(address);
    return check;
  }

  /** The agent that registers, if it can prove that it is known. Uuids are no secret, so a uuid alone proves nothing. */
  #knownFor({ uuid, instance }: Registration, { token }: Arrival): Agent | undefined {
    if (token !== undefined) {
      const agent = this.#index.findByToken(token);
      if (!agent) throw new Refusal('unauthenticated', UNKNOWN_TOKEN);
      if (agent.uuid !== uuid) throw new Refusal('forbidden', OTHER_UUID);
      return agent;
    }
    const agent = this.#index.find(uuid);
    if (!agent) return undefined;
    const first = this.#unproven.get(uuid);
    if (first !== undefined && instance.length >= MIN_INSTANCE && isEqualTimingSafe(first, instance)) return agent;
    throw new Refusal('conflict', ALREADY_ISSUED);
  }

  #returning(known: Agent, registration: Registration, { token, address }: Arrival, key: KeyCheck) {
    const fresh = token === undefined ? randomToken() : undefined;
    const updated = returningAgent(known, { registration, key, address, environmentNamed: this.#environmentNamed });
    const agent = fresh === undefined ? updated : { ...updated, tokenHash: sha256(fresh) };
    const update = this.#update(agent, null);
    const remember = () => {
      update.remember();
      this.freeSpace.note(agent.uuid, registration.free_space);
      if (token !== undefined) this.#unproven.delete(agent.uuid);
      if (registration.key !== undefined) this.#oneTimeKeys.consume(registration.key);
    };
    return { result: resultOf(agent, key, false, fresh), changes: [{ ...update, remember }] };
  }

  #newcomer(registration: Registration, { address }: Arrival, key: KeyCheck) {
    const token = randomToken();
    const agent = newAgent({
      registration,
      key,
      address,
      tokenHash: sha256(token),
      now: this.#clock.now(),
      environmentNamed: this.#environmentNamed,
      isElasticKnown: (elastic) => this.#index.findElastic(elastic) !== undefined,
    });
    const isPending = agent.configState === 'Pending';
    if (isPending) this.#registrationLimit.checkLimit(address, this.#index.pending);
    const insert = this.#database.query.insertInto('agents').values(rowFrom(agent, registration.free_space)).compile();
    const remember = () => {
      this.#index.put(agent);
      this.freeSpace.load(agent.uuid, registration.free_space);
      this.#unproven.set(agent.uuid, registration.instance);
      if (registration.key !== undefined) this.#oneTimeKeys.consume(registration.key);
      if (isPending) this.#registrationLimit.note(address);
      this.#announce(agent.uuid);
    };
    const change: TableChange = { writes: [{ events: [agentRegistered(agent)], statements: [insert] }], remember };
    return { result: resultOf(agent, key, true, token), changes: [change] };
  }

  /** Nothing is written of an agent that is as it was. */
  #update(agent: Agent, actor: string | null): TableChange {
    const before = this.#index.find(agent.uuid)!;
    const events = changeEvents(before, agent, actor);
    if (events.length === 0 && before.tokenHash === agent.tokenHash) return { writes: [], remember: () => {} };
    const { uuid, free_space: _, ...columns } = rowFrom(agent, null);
    const update = this.#database.query.updateTable('agents').set(columns).where('uuid', '=', uuid).compile();
    const remember = () => {
      this.#index.put(agent);
      this.#announce(uuid);
    };
    return { writes: [{ events, statements: [update] }], remember };
  }

  #removal(agent: Agent, actor: string): TableChange {
    const { uuid } = agent;
    const statement = this.#database.query.deleteFrom('agents').where('uuid', '=', uuid).compile();
    const remember = () => {
      this.#index.remove(uuid);
      this.freeSpace.forget(uuid);
      this.#unproven.delete(uuid);
      this.#announce(uuid);
    };
    return { writes: [{ events: [agentDeleted(agent, actor)], statements: [statement] }], remember };
  }

  readonly #environmentNamed = (name: string) => this.environments.named(name);

  #announce(uuid: string): void {
    for (const listener of this.#listeners) listener(uuid);
  }

  #mustBeStarted(): void {
    if (!this.#isStarted) throw new NotKeeper();
  }

  #forget(): void {
    this.#index.clear();
    this.freeSpace.clear();
    this.#unproven.clear();
    this.#oneTimeKeys.clear();
  }
}

function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function resultOf(agent: Agent, key: KeyCheck, isNew: boolean, token: string | undefined): RegistrationResult {
  const message = waitingMessage(agent, key);
  return { agent, isNew, ...(token !== undefined && { token }), ...(message !== undefined && { message }) };
}
