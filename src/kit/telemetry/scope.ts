// On whose behalf something is done: the request, or the work in the background, that everything called from it belongs to.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, failureType, type Span } from './span.ts';

/** A part of the work that has ended, by the clock of `performance`. */
export interface Step {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

interface ScopeParts {
  readonly requestId?: string;
  /** Undefined: it is not part of a trace. */
  readonly span?: Span | undefined;
  /** Whether to record how long the steps take, because the client asked for it. */
  readonly keepsSteps?: boolean;
}

export class Scope {
  readonly requestId: string | undefined;
  readonly span: Span | undefined;
  /** Undefined: steps are not recorded. */
  readonly steps: Step[] | undefined;
  #isEnded = false;

  constructor({ requestId, span, keepsSteps = false }: ScopeParts) {
    this.requestId = requestId;
    this.span = span;
    this.steps = keepsSteps ? [] : undefined;
  }

  get isTimed(): boolean {
    return this.span !== undefined || this.steps !== undefined;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  note(name: string, startedAt: number, endedAt = performance.now()): void {
    if (this.#isEnded) return;
    this.steps?.push({ name, startedAt, endedAt });
    this.span?.step(name, startedAt, endedAt);
  }

  /** Work that it has started goes on after it, and belongs to no scope. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.span?.end();
  }
}

const scopes = new AsyncLocalStorage<Scope>();

/** Undefined: the work belongs to no request or trace that is still open. */
export function currentScope(): Scope | undefined {
  const scope = scopes.getStore();
  return scope?.isEnded ? undefined : scope;
}

export function runIn<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work);
}

/** Notes how long a step takes, whichever way it ends. */
export function timed<T>(name: string, work: () => T, scope = currentScope()): T {
  if (!scope?.isTimed) return work();
  const startedAt = performance.now();
  let isLater = false;
  try {
    const result = work();
    if (result instanceof Promise) {
      isLater = true;
      const note = () => scope.note(name, startedAt);
      result.then(note, note);
    }
    return result;
  } finally {
    if (!isLater) scope.note(name, startedAt);
  }
}

/** Says more of the work that is under way. */
export function annotate(attributes: Attributes, failure?: string): void {
  const span = currentScope()?.span;
  span?.set(attributes);
  if (failure !== undefined) span?.fail(failure);
}

export type TraceHeaders = Readonly<{ traceparent?: string }>;
const NO_HEADERS: TraceHeaders = {};

/** A request to another server as a part of the trace that is under way, which a header passes on. */
export async function tracedCall<T>(
  name: string,
  attributes: Attributes,
  call: (headers: TraceHeaders) => Promise<T>,
  statusOf: (answer: T) => number | undefined,
): Promise<T> {
  const span = currentScope()?.span?.child(name, 'client', attributes);
  if (!span) return call(NO_HEADERS);
  try {
    const answer = await call({ traceparent: span.traceparent });
    const status = statusOf(answer);
    if (status !== undefined) span.set({ 'http.response.status_code': status });
    if (status === undefined || status >= 400) span.fail(status === undefined ? 'no answer' : String(status));
    return answer;
  } catch (failure) {
    span.fail(failureType(failure));
    throw failure;
  } finally {
    span.end();
  }
}
