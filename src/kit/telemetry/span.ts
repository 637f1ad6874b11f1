// A span: one piece of work in a trace, from its begin to its end.
import { pooledRandomBytes } from '../bytes/random-pool.ts';
import { writeTraceParent } from './traceparent.ts';

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;
export type SpanKind = 'internal' | 'server' | 'client';

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with fractions, as is `endedAt`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
}

export interface SpanBegin extends Pick<FinishedSpan, 'traceId' | 'parentId' | 'name'> {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
}

export type OnSpanEnd = (span: FinishedSpan) => void;

const SPAN_ID_BYTES = 8;
const TRACE_ID_BYTES = 16;

export function newTraceId(): string {
  return pooledRandomBytes(TRACE_ID_BYTES).toString('hex');
}

export class Span {
  readonly traceId: string;
  readonly spanId = pooledRandomBytes(SPAN_ID_BYTES).toString('hex');
  /** May become known later than the begin. */
  name: string;
  readonly #parentId: string | undefined;
  readonly #kind: SpanKind;
  readonly #startedAt = performance.now();
  readonly #onEnd: OnSpanEnd;
  #attributes: Attributes;
  #isFailed = false;

  constructor({ traceId, parentId, name, kind = 'internal', attributes = {} }: SpanBegin, onEnd: OnSpanEnd) {
    this.traceId = traceId;
    this.name = name;
    this.#parentId = parentId;
    this.#kind = kind;
    this.#attributes = attributes;
    this.#onEnd = onEnd;
  }

  /** The header of requests sent within the span. */
  get traceparent(): string {
    return writeTraceParent({ traceId: this.traceId, spanId: this.spanId, isSampled: true });
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  /** `type`: a class of failures. The message of a failure may hold secrets, so it is no part of traces. */
  fail(type: string): void {
    this.#isFailed = true;
    this.set({ 'error.type': type });
  }

  child(name: string, kind: SpanKind, attributes?: Attributes): Span {
    return new Span({ traceId: this.traceId, parentId: this.spanId, name, kind, attributes }, this.#onEnd);
  }

  /** A part of it that has ended, by the clock of `performance`. */
  step(name: string, startedAt: number, endedAt: number): void {
    this.#onEnd({
      traceId: this.traceId,
      spanId: pooledRandomBytes(SPAN_ID_BYTES).toString('hex'),
      parentId: this.spanId,
      name,
      kind: 'internal',
      startedAt: performance.timeOrigin + startedAt,
      endedAt: performance.timeOrigin + endedAt,
      attributes: {},
      isFailed: false,
    });
  }

  end(): void {
    const { traceId, spanId, name } = this;
    this.#onEnd({
      traceId,
      spanId,
      parentId: this.#parentId,
      name,
      kind: this.#kind,
      startedAt: performance.timeOrigin + this.#startedAt,
      endedAt: performance.timeOrigin + performance.now(),
      attributes: this.#attributes,
      isFailed: this.#isFailed,
    });
  }
}

/** The class of a failure, without its message. */
export function failureType(failure: unknown): string {
  const { code, name } = (failure ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string' || typeof code === 'number') return String(code);
  return typeof name === 'string' ? name : 'Error';
}
