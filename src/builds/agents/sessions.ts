// The connected agents: the orders for each, which process speaks for it, and when it is lost.
import { MAX_POLL_SECONDS, type Order, type Poll } from '../../contracts/agent-protocol/messages.ts';
import { type Clock, SYSTEM_CLOCK } from '../../kit/concurrency/clock.ts';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AgentFacts } from './agent.ts';
import { type HeldPoll, HeldPolls, NONE } from './held-polls.ts';
import type { AgentRegistry } from './registry.ts';
import { isLost } from './runtime-state.ts';

export interface SessionParts {
  readonly registry: AgentRegistry;
  /**
   * The next order for the agent; undefined: none. An answer can be lost on its way: the next poll lists the jobs that the agent knows, and
   * the order for a job missing there is to be given again.
   */
  nextOrder(agent: AgentFacts, poll: Poll): Promise<Order | undefined>;
  /** Another process speaks for the agent from now on: the work of the process before is gone. */
  onRestart(uuid: string): void;
  /** The agent had no contact for so long; called once, until it has contact again. */
  onLost(uuid: string): void;
  onFailure(failure: unknown): void;
  readonly clock?: Clock;
}

interface Session {
  /** Undefined: it had no contact since this server runs builds. */
  lastContactAt: number | undefined;
  instance: string | undefined;
  isLost: boolean;
  /** An event has reported that. */
  isReportedLost: boolean;
  held: HeldPoll | undefined;
  poll: Poll | undefined;
  isAsking: boolean;
  /** Something has happened since its order was asked for. */
  isWoken: boolean;
}

const TICK_MS = 1000;
/** A tick may come late, and the answer takes its time. */
const HOLD_MS = MAX_POLL_SECONDS * 1000 - 2 * TICK_MS;
const LOOK_FOR_LOST_MS = 5000;
const WRITE_FREE_SPACE_MS = 60_000;
/** How long a process without contact counts as running. */
const PROCESS_ALIVE_SECONDS = 60;
export const OTHER_PROCESS =
  'Another process works as this agent. Each agent needs a working directory of its own; one that was restarted has to register first.';
const GONE = 'The agent was deleted.';
export const STOPPING = 'The server is about to stop. Try again in a moment.';

export class AgentSessions {
  readonly #parts: SessionParts;
  readonly #registry: AgentRegistry;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();
  readonly #held = new HeldPolls();
  #startedAt: number | undefined;
  #lookedAt = 0;
  #wroteAt = 0;
  #cancelTick: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#registry = parts.registry;
    this.#clock = parts.clock ?? SYSTEM_CLOCK;
    this.#registry.listen((uuid) => this.#changed(uuid));
  }

  /** After the registry. */
  start(): void {
    const now = this.#clock.now();
    this.#startedAt = now;
    this.#lookedAt = now;
    this.#wroteAt = now;
    this.#scheduleTick();
  }

  /** Before the registry. */
  stop(): void {
    this.#startedAt = undefined;
    this.#cancelTick?.();
    this.#held.release();
    this.#sessions.clear();
  }

  /** The server is about to stop: ends the polls of all agents, and holds no more. */
  close(): void {
    this.#isClosed = true;
    this.#held.release();
  }

  /** An agent that registers before the start would not be recognized as restarted. */
  mustBeStarted(): void {
    if (this.#startedAt === undefined) throw new NotKeeper();
  }

  get heldPolls(): number {
    return this.#held.size;
  }

  lastContactAt(uuid: string): number | undefined {
    return this.#sessions.get(uuid)?.lastContactAt;
  }

  /** False: it is lost, or it had no contact since this server runs builds. */
  hasContact(uuid: string): boolean {
    const lastContactAt = this.lastContactAt(uuid);
    return lastContactAt !== undefined && !isLost(lastContactAt, this.#clock.now());
  }

  /** Whether the agent said last that it works on something. */
  claimsWork(uuid: string): boolean {
    return (this.#sessions.get(uuid)?.poll?.jobs.length ?? 0) > 0;
  }

  /** A process has registered: from now on it is the one that speaks for the agent. */
  registered(uuid: string, instance: string, { isNew }: { readonly isNew: boolean }): void {
    const session = this.#sessionOf(uuid);
    // An agent registers when it starts. Where it had no contact before, this server is the one that has started later.
    const isOther = !isNew && session.instance !== instance;
    session.instance = instance;
    this.noteContact(uuid);
    if (!isOther) return;
    session.poll = undefined;
    session.held?.settle(new Refusal('conflict', OTHER_PROCESS));
    this.#parts.onRestart(uuid);
  }

  /** Any request of the agent. */
  noteContact(uuid: string): void {
    const session = this.#sessionOf(uuid);
    session.lastContactAt = this.#clock.now();
    if (!session.isLost) return;
    session.isLost = false;
    if (session.isReportedLost) this.#reportContact(uuid, 'returned');
    session.isReportedLost = false;
  }

  /** Answers at once when there is something to say, and else when there is, or after half a minute. */
  poll(uuid: string, poll: Poll, signal?: AbortSignal): Promise<Order> {
    this.mustBeStarted();
    const session = this.#sessionOf(uuid);
    this.#mustSpeakFor(uuid, session, poll.instance);
    this.noteContact(uuid);
    this.#registry.freeSpace.note(uuid, poll.free_space);
    session.poll = poll;
    // Its connection was cut: the process has begun anew.
    session.held?.settle(NONE);
    // An agent asks again at once after an order, but waits longer each time while a server is away.
    if (this.#isClosed) return Promise.reject(new Refusal('unavailable', STOPPING, { retryAfter: 1 }));
    if (signal?.aborted) return Promise.resolve(NONE);
    return this.#held.hold(this.#clock.now() + HOLD_MS, (held) => {
      session.held = held;
      session.isWoken = true;
      signal?.addEventListener('abort', () => held.settle(NONE), { once: true });
      this.#ask(uuid, session);
    });
  }

  /** There may be something to do for an agent. */
  wake(uuid: string): void {
    const session = this.#sessions.get(uuid);
    if (!session?.held) return;
    session.isWoken = true;
    this.#ask(uuid, session);
  }

  wakeAll(): void {
    for (const uuid of this.#sessions.keys()) this.wake(uuid);
  }

  /** One question at a time for each agent; after an event meanwhile it is asked again. */
  #ask(uuid: string, session: Session): void {
    if (session.isAsking) return;
    session.isAsking = true;
    this.#askUntilQuiet(uuid, session)
      .catch((failure: unknown) => {
        this.#parts.onFailure(failure);
        session.held?.settle(
          new Refusal('unavailable', 'The server cannot tell what there is to do now. Try again in a moment.', { retryAfter: 1 }),
        );
      })
      .finally(() => {
        session.isAsking = false;
        // A poll may have come in just now.
        if (session.held && session.isWoken) this.#ask(uuid, session);
      });
  }

  async #askUntilQuiet(uuid: string, session: Session): Promise<void> {
    while (session.isWoken) {
      session.isWoken = false;
      const { held, poll } = session;
      if (!held || held.isSettled || !poll) return;
      const agent = this.#registry.isStarted ? this.#registry.find(uuid) : undefined;
      if (!agent) return held.settle(new Refusal('unauthenticated', GONE));
      if (agent.configState !== poll.state) return this.#answer(session, held, { order: 'state', state: agent.configState });
      if (agent.configState === 'Pending') return;
      const order = await this.#parts.nextOrder(this.#registry.environments.factsOf(agent), poll);
      if (order) this.#answer(session, held, order);
    }
  }

  #answer(session: Session, held: HeldPoll, order: Order): void {
    held.settle(order);
    if (session.held === held) session.held = undefined;
  }

  #mustSpeakFor(uuid: string, session: Session, instance: string): void {
    if (session.instance === instance) return;
    const isOtherAlive =
      session.instance !== undefined &&
      session.lastContactAt !== undefined &&
      this.#clock.now() - session.lastContactAt < PROCESS_ALIVE_SECONDS * 1000;
    if (isOtherAlive) throw new Refusal('conflict', OTHER_PROCESS);
    const isRestart = session.instance !== undefined;
    session.instance = instance;
    if (isRestart) this.#parts.onRestart(uuid);
  }

  /** Its state is news, and its properties decide which work it gets. */
  #changed(uuid: string): void {
    const session = this.#sessions.get(uuid);
    if (!session) return;
    if (this.#registry.find(uuid)) {
      this.wake(uuid);
      return;
    }
    this.#sessions.delete(uuid);
    session.held?.settle(new Refusal('unauthenticated', GONE));
  }

  #sessionOf(uuid: string): Session {
    return this.#sessions.getOrInsertComputed(uuid, newSession);
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#clock.after(TICK_MS, () => {
      this.#tick(this.#clock.now());
      if (this.#startedAt !== undefined) this.#scheduleTick();
    });
  }

  #tick(now: number): void {
    this.#held.expire(now);
    if (now - this.#lookedAt >= LOOK_FOR_LOST_MS) {
      this.#lookedAt = now;
      this.#lookForLost(now);
    }
    if (now - this.#wroteAt >= WRITE_FREE_SPACE_MS) {
      this.#wroteAt = now;
      this.#registry.freeSpace.write().catch(this.#parts.onFailure);
    }
  }

  #lookForLost(now: number): void {
    if (!this.#registry.isStarted) return;
    for (const { uuid } of this.#registry.all()) {
      const session = this.#sessionOf(uuid);
      // Agents that never had contact have as long, from the start on; they are missing, not lost, but their jobs cannot wait.
      if (session.isLost || !isLost(session.lastContactAt ?? this.#startedAt!, now)) continue;
      session.isLost = true;
      session.isReportedLost = session.lastContactAt !== undefined;
      if (session.isReportedLost) this.#reportContact(uuid, 'lost');
      this.#parts.onLost(uuid);
    }
  }

  #reportContact(uuid: string, change: 'lost' | 'returned'): void {
    this.#registry.reportContact(uuid, change).catch(this.#parts.onFailure);
  }
}

function newSession(): Session {
  return {
    lastContactAt: undefined,
    instance: undefined,
    isLost: false,
    isReportedLost: false,
    held: undefined,
    poll: undefined,
    isAsking: false,
    isWoken: false,
  };
}
