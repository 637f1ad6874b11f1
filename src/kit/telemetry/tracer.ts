// Begins traces, or goes on with those of others, and decides which are recorded.
import { runIn, Scope } from './scope.ts';
import { type Attributes, type FinishedSpan, failureType, newTraceId, Span } from './span.ts';
import type { TraceParent } from './traceparent.ts';

export interface SpanQueue {
  add(span: FinishedSpan): void;
  /** Since the start. */
  counts(): { readonly sent: number; readonly dropped: number };
  /** Sends the remaining spans, for a short while. */
  close(): Promise<void>;
}

/** The share of all traces that is recorded is decided by so many of the last digits of their ids, as other programs do. */
const DECIDING_DIGITS = 14;

export class Tracer {
  readonly #ratio: number;
  readonly #queue: SpanQueue;
  readonly #add: (span: FinishedSpan) => void;

  constructor(ratio: number, queue: SpanQueue) {
    this.#ratio = ratio;
    this.#queue = queue;
    this.#add = (span) => queue.add(span);
  }

  /**
   * The span of a request; undefined: it is not recorded. `isTrusted`: whether the sender decides about that. Others could have as
   * much recorded as they like.
   */
  request(name: string, parent: TraceParent | undefined, isTrusted: boolean): Span | undefined {
    const traceId = parent?.traceId ?? newTraceId();
    if (!(parent && isTrusted ? parent.isSampled : Math.random() < this.#ratio)) return undefined;
    return new Span({ traceId, parentId: parent?.spanId, name, kind: 'server' }, this.#add);
  }

  /** Runs work that no request has asked for: a trace of its own. */
  async trace<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const traceId = newTraceId();
    if (!this.isSampled(traceId)) return work();
    const span = new Span({ traceId, parentId: undefined, name, attributes }, this.#add);
    const scope = new Scope({ span });
    return runIn(scope, async () => {
      try {
        return await work();
      } catch (failure) {
        span.fail(failureType(failure));
        throw failure;
      } finally {
        scope.end();
      }
    });
  }

  /** Every server gives the same answer for an id. */
  isSampled(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-DECIDING_DIGITS), 16) < this.#ratio * 16 ** DECIDING_DIGITS;
  }

  /** A span that is known only after its end. */
  record(span: FinishedSpan): void {
    if (this.isSampled(span.traceId)) this.#add(span);
  }

  counts(): ReturnType<SpanQueue['counts']> {
    return this.#queue.counts();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}
