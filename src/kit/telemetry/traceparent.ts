// The header `traceparent` of W3C Trace Context: which trace a request belongs to.

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span that the request was sent by. */
  readonly spanId: string;
  /** The sender records the trace. */
  readonly isSampled: boolean;
}

/** Later versions may have more after the flags. */
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const FIRST_VERSION = '00';
const FORBIDDEN_VERSION = 'ff';
const MAX_HEADER_LENGTH = 512;
const NOTHING = /^0+$/;
const SAMPLED = 1;

/** Undefined: there is none, or none that the standard allows. */
export function readTraceParent(header: string | undefined): TraceParent | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  const [, version, traceId, spanId, flags, more] = FORM.exec(header.trim()) ?? [];
  if (traceId === undefined || spanId === undefined || version === FORBIDDEN_VERSION) return undefined;
  if (version === FIRST_VERSION && more !== undefined) return undefined;
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & SAMPLED) === SAMPLED };
}

export function writeTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `${FIRST_VERSION}-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
