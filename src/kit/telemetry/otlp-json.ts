// Spans in the JSON form of the OpenTelemetry protocol (OTLP): ids in hexadecimal digits, enumerations as numbers, 64-bit numbers as texts.
import type { Attributes, AttributeValue, FinishedSpan, SpanKind } from './span.ts';

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number };

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code?: number };
}

export interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

export interface Source {
  /** The attributes of the sender. */
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
}

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const ERROR = 2;
const NANOS_IN_MS = 1_000_000;

export function otlpTraces(spans: readonly FinishedSpan[], { resource, scope }: Source): OtlpTraces {
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] }] };
}

function spanOf({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, isFailed }: FinishedSpan): OtlpSpan {
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(Math.max(startedAt, endedAt)),
    attributes: attributesOf(attributes),
    status: isFailed ? { code: ERROR } : {},
  };
}

function attributesOf(attributes: Attributes): OtlpAttribute[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: AttributeValue): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** In two parts: as one number it would have more digits than numbers have. */
function nanos(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return String(BigInt(whole) * BigInt(NANOS_IN_MS) + BigInt(Math.floor((milliseconds - whole) * NANOS_IN_MS)));
}
