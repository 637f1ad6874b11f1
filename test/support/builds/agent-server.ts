// The server's side of the protocol for agents, as small as it can be: real HTTP, everything kept in memory, and orders as a test gives them.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AgentConfigState, Order, Poll, Registration, Report } from '../../../src/contracts/agent-protocol/messages.ts';
import type { Work, WorkTask } from '../../../src/contracts/agent-protocol/work.ts';
import { FakeArtifactServer } from '../services/fake-artifact-server.ts';
import { until } from '../until.ts';

interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface HeldPoll {
  readonly poll: Poll;
  readonly answer: (order: Order) => void;
}

export class AgentServer {
  readonly registrations: Registration[] = [];
  readonly polls: Poll[] = [];
  readonly reports: (Report & { readonly job: number })[] = [];
  readonly #consoles = new Map<number, Buffer>();
  /** The sizes of the pieces of console output that came. */
  readonly pieces: number[] = [];
  readonly orders: Order[] = [];
  readonly tokens = new Set<string>();
  state: AgentConfigState = 'Enabled';
  /** Answers instead of the server, when it gives something. */
  override: (path: string, body: Buffer) => Reply | undefined = () => undefined;
  /** The routes of artifacts. */
  readonly artifacts = new FakeArtifactServer();
  readonly #tls: { readonly cert: string; readonly key: string } | undefined;
  readonly #contextPath: string;
  #server: Server | undefined;
  #port = 0;
  #heldPoll: HeldPoll | undefined;
  /** The answer may have been lost with its connection. */
  #lastWorkOrder: Extract<Order, { readonly order: 'work' }> | undefined;

  constructor({
    contextPath = '',
    tls,
  }: { readonly contextPath?: string; readonly tls?: { readonly cert: string; readonly key: string } } = {}) {
    this.#contextPath = contextPath;
    this.#tls = tls;
  }

  get url(): string {
    return `${this.#tls ? 'https' : 'http'}://127.0.0.1:${this.#port}${this.#contextPath}`;
  }

  /** Starts the server, on the same port as before. */
  async start(): Promise<this> {
    const listener = (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response);
    const server: Server = this.#tls ? createTlsServer(this.#tls, listener) : createServer(listener);
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Stops the server as a kill of its process does: all connections break. */
  async stop(): Promise<void> {
    this.#heldPoll = undefined;
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
  }

  order(order: Order): void {
    this.orders.push(order);
    this.#answerPoll();
  }

  setState(state: AgentConfigState): void {
    this.state = state;
    this.#answerPoll();
  }

  consoleOf(job: number): string {
    return (this.#consoles.get(job) ?? '').toString();
  }

  /** The lines of a console without their times. */
  linesOf(job: number): string[] {
    return this.consoleOf(job)
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/^(..)\|\d\d:\d\d:\d\d\.\d{3} /, '$1|'));
  }

  statesOf(job: number): string[] {
    return this.reports.filter((one) => one.job === job).map(({ state, result }) => (result ? `${state} ${result}` : state));
  }

  /** The result of a job, when it has one. */
  completed(job: number): Promise<string> {
    return until(`the end of job ${job}`, () => this.reports.find((one) => one.job === job && one.state === 'Completed')?.result);
  }

  line(job: number, pattern: RegExp): Promise<string> {
    return until(`${pattern} in the console`, () => this.linesOf(job).find((line) => pattern.test(line)));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = url.pathname.startsWith(this.#contextPath) ? url.pathname.slice(this.#contextPath.length) : '/outside';
    if (/^\/agent\/v1\/jobs\/\d+\/(artifacts|fetches)\//.test(path))
      return this.artifacts.handle(path, url.searchParams, request, response);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the agent is gone
    }
    const body = Buffer.concat(chunks);
    const reply = this.override(path, body) ?? (await this.#reply(path, url.searchParams, body, request, response));
    response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers }).end(JSON.stringify(reply.body));
  }

  async #reply(path: string, query: URLSearchParams, body: Buffer, request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const token = request.headers.authorization?.replace('Bearer ', '');
    const isKnown = token !== undefined && this.tokens.has(token);
    if (path === '/agent/v1/registration') {
      if (token !== undefined && !isKnown) return { status: 401, body: { message: 'unknown token' } };
      return this.#register(JSON.parse(body.toString()), isKnown);
    }
    if (!isKnown) return { status: 401, body: { message: 'unknown token' } };
    if (path === '/agent/v1/poll') return this.#poll(JSON.parse(body.toString()), response);
    const [, job, what] = /^\/agent\/v1\/jobs\/(\d+)\/(reports|console)$/.exec(path) ?? [];
    if (what === 'reports') return this.#report(Number(job), JSON.parse(body.toString()));
    if (what === 'console') return this.#append(Number(job), Number(query.get('offset')), body);
    return { status: 404, body: { message: 'no such path' } };
  }

  #register(registration: Registration, isKnown: boolean): Reply {
    this.registrations.push(registration);
    const token = isKnown ? undefined : randomUUID();
    if (token !== undefined) this.tokens.add(token);
    return { status: this.state === 'Pending' ? 202 : 201, body: { token, state: this.state } };
  }

  async #poll(poll: Poll, response: ServerResponse): Promise<Reply> {
    this.polls.push(poll);
    const lastOrder = this.#lastWorkOrder;
    this.#lastWorkOrder = undefined;
    if (lastOrder && poll.jobs.length === 0 && !this.reports.some(({ job }) => job === lastOrder.work.job)) this.orders.unshift(lastOrder);
    const order = new Promise<Order>((answer) => {
      this.#heldPoll = { poll, answer };
    });
    const heldPoll = this.#heldPoll;
    response.once('close', () => {
      if (this.#heldPoll === heldPoll) this.#heldPoll = undefined;
    });
    this.#answerPoll();
    return { status: 200, body: await order };
  }

  #answerPoll(): void {
    if (!this.#heldPoll) return;
    const { poll, answer } = this.#heldPoll;
    const index = this.orders.findIndex(({ order }) => order !== 'work' || poll.jobs.length === 0);
    const order = poll.state === this.state ? this.orders[index] : ({ order: 'state', state: this.state } as const);
    if (!order) return;
    if (order === this.orders[index]) this.orders.splice(index, 1);
    this.#heldPoll = undefined;
    if (order.order === 'work') this.#lastWorkOrder = order;
    answer(order);
  }

  #report(job: number, report: Report): Reply {
    const isKnown = this.reports.some((one) => one.job === job && one.number === report.number);
    if (!isKnown) this.reports.push({ ...report, job });
    return { status: 200, body: {} };
  }

  #append(job: number, offset: number, bytes: Buffer): Reply {
    const before = this.#consoles.get(job) ?? Buffer.alloc(0);
    if (offset > before.length) return { status: 409, body: { length: before.length } };
    const whole = Buffer.concat([before, bytes.subarray(before.length - offset)]);
    this.#consoles.set(job, whole);
    this.pieces.push(bytes.length);
    return { status: 200, body: { length: whole.length } };
  }
}

let lastJob = 0;

/** A job of the pipeline `shop` without materials. */
export function workOf(tasks: readonly WorkTask[], more: Partial<Work> = {}): Work {
  return {
    job: ++lastJob,
    epoch: 1,
    locator: { pipeline: 'shop', pipeline_counter: 7, stage: 'test', stage_counter: 1, job: 'unit' },
    is_first: true,
    fetch_materials: true,
    clean_working_directory: false,
    materials: [],
    environment: [],
    tasks,
    artifacts: [],
    ...more,
  };
}

type Conditions = Partial<Pick<WorkTask, 'run_if' | 'on_cancel'>>;

export function script(text: string, { run_if = [], on_cancel = null }: Conditions = {}): WorkTask {
  return { type: 'script', script: text, shell: null, working_directory: null, run_if, on_cancel };
}

export function exec(
  command: string,
  args: readonly string[] | string,
  { run_if = [], on_cancel = null, ...limit }: Conditions & { readonly timeout_seconds?: number } = {},
): WorkTask {
  return { type: 'exec', command, arguments: args, working_directory: null, run_if, on_cancel, ...limit };
}
