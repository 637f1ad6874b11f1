// The life of an agent: it registers, asks for orders, and works on one job at a time.
import { setTimeout as pause } from 'node:timers/promises';
import { type AgentConfigState, MAX_POLL_SECONDS, type Order, POLL_PATH, type Poll } from '../contracts/agent-protocol/messages.ts';
import { type JobParts, JobRun } from './job/job-run.ts';
import { BackOff } from './server/back-off.ts';
import { AgentRefused, describeUnavailable, type RegistrationParts, register } from './server/registration.ts';
import { type Answer, messageOf } from './server/server-client.ts';
import { freeSpaceOf } from './server/this-machine.ts';
import type { Identity } from './work-dir/identity.ts';

/** A connection on which nothing comes for longer is dead. */
const POLL_TIMEOUT_MS = (MAX_POLL_SECONDS + 15) * 1000;
const UNAUTHORIZED = 401;
const CONFLICT = 409;

export interface LoopParts extends RegistrationParts {
  readonly job: JobParts;
}

export class AgentLoop {
  readonly #parts: LoopParts;
  readonly #backOff = new BackOff();
  #identity: Identity;
  #state: AgentConfigState = 'Pending';
  #job: JobRun | undefined;
  #isServerUnavailable = false;
  /** Ends the present poll, because it says something that is not so any more. */
  #renew = new AbortController();

  constructor(parts: LoopParts, identity: Identity) {
    this.#parts = parts;
    this.#identity = identity;
  }

  /** Until the agent is stopped. Rejects when the server does not want it. */
  async run(): Promise<void> {
    const { signal } = this.#parts;
    await this.#register();
    while (!signal.aborted) await this.#pollOnce();
  }

  /** Ends the job; said twice, at once. */
  async stop(): Promise<void> {
    this.#job?.stop();
    await this.jobEnded();
  }

  async jobEnded(): Promise<void> {
    await this.#job?.ended;
  }

  async #register(): Promise<void> {
    const registered = await register(this.#parts, this.#identity);
    if (!registered) return;
    this.#identity = registered.identity;
    const { options } = this.#parts;
    if (registered.state === 'Pending' && options.key !== undefined)
      options.print(
        'The key is not the auto-register key of this server, so it does not count. Look it up anew, and start the agent with it.',
      );
    this.#entered(registered.state);
  }

  #entered(state: AgentConfigState): void {
    this.#state = state;
    const { uuid } = this.#identity;
    const messages = {
      Pending: `The agent ${uuid} waits for an administrator to enable it.`,
      Enabled: `The agent ${uuid} is enabled, and waits for work.`,
      Disabled: `The agent ${uuid} is disabled: it gets no work until an administrator enables it.`,
    };
    this.#parts.options.print(messages[state]);
  }

  async #pollOnce(): Promise<void> {
    const { client, signal, options } = this.#parts;
    const renew = (this.#renew = new AbortController());
    const body = await this.#poll();
    if (renew.signal.aborted || signal.aborted) return;
    const either = AbortSignal.any([signal, renew.signal]);
    const answer = await client
      .send({ method: 'POST', path: POLL_PATH, body, timeoutMs: POLL_TIMEOUT_MS, signal: either })
      .catch((failure: Error) => failure);
    if (either.aborted && answer instanceof Error) return;
    if (answer instanceof Error || !(await this.#handleAnswer(answer))) {
      if (!this.#isServerUnavailable)
        options.print(`${describeUnavailable(options.server, answer)} The agent goes on, and tries again until it answers.`);
      this.#isServerUnavailable = true;
      await this.#backOff.pause(signal);
    }
  }

  async #poll(): Promise<Poll> {
    const { instance, options } = this.#parts;
    const job = this.#job;
    const jobs = job ? [{ job: job.job, epoch: job.epoch, is_cancelling: job.isCancelling }] : [];
    return { instance, jobs, free_space: await freeSpaceOf(options.workDir), state: this.#state };
  }

  /** Whether the server is there. */
  async #handleAnswer(answer: Answer): Promise<boolean> {
    if (answer.status === UNAUTHORIZED) {
      await this.#register();
      return true;
    }
    if (answer.status === CONFLICT) throw new AgentRefused(messageOf(answer));
    const order = answer.status >= 200 && answer.status < 300 ? orderIn(answer) : undefined;
    if (!order) return false;
    if (this.#isServerUnavailable) this.#parts.options.print('The server answers again.');
    this.#isServerUnavailable = false;
    this.#backOff.reset();
    await this.#follow(order);
    return true;
  }

  async #follow(order: Order): Promise<void> {
    switch (order.order) {
      case 'state':
        return this.#entered(order.state);
      case 'work':
        return this.#begin(order.work);
      case 'cancel':
      case 'kill':
      case 'drop': {
        if (this.#job?.job === order.job) this.#job[order.order]();
        // The next poll says so, and until that arrives the order may come again.
        else await pause(50);
        return;
      }
      case 'none':
        return;
    }
  }

  #begin(work: Extract<Order, { readonly order: 'work' }>['work']): void {
    const { options } = this.#parts;
    if (this.#job || this.#parts.signal.aborted) return;
    const job = new JobRun(work, this.#parts.job);
    this.#job = job;
    options.print(`Working on ${job.name}.`);
    void job.ended.then(() => {
      this.#job = undefined;
      options.print(`Done with ${job.name}.`);
      this.#renew.abort();
    });
  }
}

const ORDERS: ReadonlySet<unknown> = new Set(['none', 'state', 'work', 'cancel', 'kill', 'drop']);

/** Undefined when it is none: a page of a proxy, for example. */
function orderIn({ body }: Answer): Order | undefined {
  try {
    const order = JSON.parse(body) as Order;
    // Orders that only a newer server knows are ignored.
    return ORDERS.has(order.order) ? order : { order: 'none' };
  } catch {
    return undefined;
  }
}
