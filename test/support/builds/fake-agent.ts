// An agent that speaks the protocol and runs nothing: the test decides which jobs it takes, and which reports it sends or leaves out.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type AgentConfigState,
  CONSOLE_PATH,
  type JobClaim,
  type Order,
  POLL_PATH,
  PROTOCOL_VERSION,
  REGISTRATION_PATH,
  REPORTS_PATH,
  type RegistrationAnswer,
  type ReportedResult,
  type ReportedState,
} from '../../../src/contracts/agent-protocol/messages.ts';
import type { Work } from '../../../src/contracts/agent-protocol/work.ts';
import { PATIENCE_MS } from '../patience.ts';

export interface FakeAgentOptions {
  readonly url: string;
  readonly key?: string;
  readonly resources?: readonly string[];
  readonly environments?: readonly string[];
  readonly hostname?: string;
  readonly uuid?: string;
  readonly elastic?: { readonly agent: string; readonly plugin: string };
}

export interface AgentReply {
  readonly status: number;
  readonly text: string;
}

/** The reaction of the test to a job; nothing more is reported of a job without a result. */
export type Worker = (work: Work, agent: FakeAgent) => Promise<ReportedResult | undefined> | ReportedResult | undefined;

const TRY_AGAIN_MS = 50;

export class FakeAgent {
  readonly uuid: string;
  /** The server may be another one after a restart. */
  url: string;
  state: AgentConfigState = 'Pending';
  /** The jobs that its polls name. */
  claims: JobClaim[] = [];
  readonly orders: Order[] = [];
  /** All it was given, in this order. */
  readonly works: Work[] = [];
  #token = '';
  #instance = randomUUID() as string;
  readonly #options: FakeAgentOptions;
  readonly #connections = new Agent({ keepAlive: true });
  /** The numbers of reports by job and epoch. */
  readonly #reports = new Map<string, number>();
  readonly #printed = new Map<string, number>();
  readonly #stopping = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(options: FakeAgentOptions) {
    this.#options = options;
    this.uuid = options.uuid ?? randomUUID();
    this.url = options.url;
  }

  static async start(options: FakeAgentOptions): Promise<FakeAgent> {
    const agent = new FakeAgent(options);
    await agent.register();
    return agent;
  }

  async register(): Promise<void> {
    const { key, resources, environments, hostname = 'fake', elastic } = this.#options;
    const reply = await this.send('POST', REGISTRATION_PATH, {
      protocol: PROTOCOL_VERSION,
      uuid: this.uuid,
      instance: this.#instance,
      hostname,
      sandbox: '/nowhere',
      operating_system: 'none',
      version: '1.0.0',
      free_space: null,
      ...(key !== undefined && { key }),
      ...(resources && { resources }),
      ...(environments && { environments }),
      ...(elastic && { elastic_agent_id: elastic.agent, elastic_plugin_id: elastic.plugin }),
    });
    if (reply.status > 202) throw new Error(`${reply.status} ${reply.text}`);
    const { token, state } = JSON.parse(reply.text) as RegistrationAnswer;
    this.#token = token ?? this.#token;
    this.state = state;
  }

  /** The id of its process, as its messages give it. */
  get instance(): string {
    return this.#instance;
  }

  /** Goes on as a process that was ended and started again, and knows of no job any more. */
  async restart(): Promise<void> {
    this.#instance = randomUUID();
    this.claims = [];
    await this.register();
  }

  /** Polls once, and gives the answer. */
  async poll(signal?: AbortSignal): Promise<Order> {
    const body = { instance: this.#instance, jobs: this.claims, free_space: null, state: this.state };
    const reply = await this.send('POST', POLL_PATH, body, signal);
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    const order = JSON.parse(reply.text) as Order;
    this.orders.push(order);
    if (order.order === 'state') this.state = order.state;
    return order;
  }

  /** Polls until there is work, and claims it. */
  async take(): Promise<Work> {
    const order = await this.ordered('work');
    if (order.order !== 'work') throw new Error('no work');
    return this.claim(order.work);
  }

  claim(work: Work): Work {
    this.works.push(work);
    this.claims = [{ job: work.job, epoch: work.epoch, is_cancelling: false }];
    return work;
  }

  /** The orders that come while it works, until one of this kind. */
  async ordered(kind: Order['order']): Promise<Order> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PATIENCE_MS)]);
    for (;;) {
      const order = await this.poll(signal);
      if (order.order === kind) return order;
    }
  }

  /** The next state of a job, by the next number unless it says another one. */
  async report(work: Work, state: ReportedState, result?: ReportedResult, number = this.#nextNumber(work)): Promise<AgentReply> {
    const body = { instance: this.#instance, epoch: work.epoch, number, state, ...(result && { result }) };
    const reply = await this.send('POST', REPORTS_PATH.replace(':job', String(work.job)), body);
    if (state === 'Completed') this.claims = this.claims.filter(({ job }) => job !== work.job);
    return reply;
  }

  /** The first states. */
  async begin(work: Work): Promise<void> {
    await this.report(work, 'Preparing');
    await this.report(work, 'Building');
  }

  async complete(work: Work, result: ReportedResult = 'Passed'): Promise<AgentReply> {
    await this.report(work, 'Completing', result);
    return this.report(work, 'Completed', result);
  }

  /** Takes the next job and ends it. */
  async finishNext(result: ReportedResult = 'Passed'): Promise<Work> {
    const work = await this.take();
    await this.begin(work);
    const reply = await this.complete(work, result);
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return work;
  }

  async print(work: Work, output: string): Promise<AgentReply> {
    const name = nameOf(work);
    const offset = this.#printed.get(name) ?? 0;
    this.#printed.set(name, offset + Buffer.byteLength(output));
    return this.printAt(work, offset, output);
  }

  printAt({ job, epoch }: Work, offset: number, output: string): Promise<AgentReply> {
    return this.send('PUT', `${CONSOLE_PATH.replace(':job', String(job))}?epoch=${epoch}&offset=${offset}`, output);
  }

  /** Takes job after job from now on, until it is stopped. A server that is away is asked again. */
  work(worker: Worker = () => 'Passed'): this {
    const { signal } = this.#stopping;
    const loop = async () => {
      while (!signal.aborted) {
        try {
          const work = await this.take();
          await this.report(work, 'Preparing');
          const result = await worker(work, this);
          if (result) await this.complete(work, result);
        } catch (failure) {
          if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
          if (!(failure instanceof Error)) throw failure;
        }
      }
    };
    this.#working = loop();
    return this;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
    this.#connections.destroy();
  }

  /** The Authorization header for requests that a test makes itself. */
  get authorization(): string {
    return `Bearer ${this.#token}`;
  }

  /** Sends a request as the agent. */
  send(method: string, path: string, body: object | string, signal?: AbortSignal): Promise<AgentReply> {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const headers = {
      'Content-Type': typeof body === 'string' ? 'application/octet-stream' : 'application/json',
      'Content-Length': bytes.length,
      ...(this.#token !== '' && { Authorization: `Bearer ${this.#token}` }),
    };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#connections, ...(signal && { signal }) };
      const sending = request(this.url + path, options, (answer) => {
        text(answer).then((text) => resolve({ status: answer.statusCode!, text }), reject);
      });
      sending.on('error', (failure: NodeJS.ErrnoException) => {
        // A kept connection that the server has closed meanwhile: it has not seen the request.
        const isStale = sending.reusedSocket && (failure.code === 'ECONNRESET' || failure.code === 'EPIPE');
        if (isStale && !signal?.aborted) resolve(this.send(method, path, body, signal));
        else reject(failure);
      });
      sending.end(bytes);
    });
  }

  #nextNumber(work: Work): number {
    const name = nameOf(work);
    const number = (this.#reports.get(name) ?? 0) + 1;
    this.#reports.set(name, number);
    return number;
  }
}

function nameOf({ job, epoch }: Work): string {
  return `${job}/${epoch}`;
}
