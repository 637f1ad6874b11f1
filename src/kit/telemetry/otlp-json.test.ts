// Tests of spans in the JSON form of OTLP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otlpTraces } from './otlp-json.ts';

const SPAN = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentId: undefined,
  name: 'GET /api/version',
  kind: 'server',
  startedAt: 1_790_000_000_000.5,
  endedAt: 1_790_000_000_002.25,
  attributes: { text: 'a', whole: 200, part: 0.5, is: true },
  isFailed: false,
} as const;
const SOURCE = { resource: { 'service.name': 'slipway' }, scope: { name: 'slipway', version: '1' } };

test('numbers of 64 bits are texts, enumerations are numbers', () => {
  const { resourceSpans } = otlpTraces([SPAN], SOURCE);
  assert.deepEqual(resourceSpans, [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'slipway' } }] },
      scopeSpans: [
        {
          scope: SOURCE.scope,
          spans: [
            {
              traceId: SPAN.traceId,
              spanId: SPAN.spanId,
              name: SPAN.name,
              kind: 2,
              startTimeUnixNano: '1790000000000500000',
              endTimeUnixNano: '1790000000002250000',
              attributes: [
                { key: 'text', value: { stringValue: 'a' } },
                { key: 'whole', value: { intValue: '200' } },
                { key: 'part', value: { doubleValue: 0.5 } },
                { key: 'is', value: { boolValue: true } },
              ],
              status: {},
            },
          ],
        },
      ],
    },
  ]);
});

test('a failed span has its status and parent, and never ends before it starts', () => {
  const failed = { ...SPAN, parentId: '1111111111111111', kind: 'client', isFailed: true, endedAt: SPAN.startedAt - 5 } as const;
  const span = otlpTraces([failed], SOURCE).resourceSpans[0]!.scopeSpans[0]!.spans[0]!;
  assert.deepEqual(
    [span.parentSpanId, span.kind, span.status, span.endTimeUnixNano],
    ['1111111111111111', 3, { code: 2 }, span.startTimeUnixNano],
  );
});
