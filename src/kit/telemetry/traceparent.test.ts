// Tests of the header `traceparent`, with the examples of the standard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceParent, writeTraceParent } from './traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a written header is read again', () => {
  for (const isSampled of [true, false]) {
    const parent = { traceId: TRACE, spanId: SPAN, isSampled };
    assert.deepEqual(readTraceParent(writeTraceParent(parent)), parent);
  }
  assert.equal(writeTraceParent({ traceId: TRACE, spanId: SPAN, isSampled: true }), `00-${TRACE}-${SPAN}-01`);
});

test('only the lowest flag says whether a trace is sampled', () => {
  assert.equal(readTraceParent(`00-${TRACE}-${SPAN}-03`)!.isSampled, true);
  assert.equal(readTraceParent(`00-${TRACE}-${SPAN}-02`)!.isSampled, false);
});

test('a header of a later version may have more parts', () => {
  assert.equal(readTraceParent(`01-${TRACE}-${SPAN}-01-what-the-future-will-be-like`)!.traceId, TRACE);
});

for (const [what, header] of Object.entries({
  nothing: undefined,
  empty: '',
  'another version': `ff-${TRACE}-${SPAN}-01`,
  'more than this version has': `00-${TRACE}-${SPAN}-01-more`,
  'no trace': `00-${'0'.repeat(32)}-${SPAN}-01`,
  'no span': `00-${TRACE}-${'0'.repeat(16)}-01`,
  'capital letters': `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  'too short': `00-${TRACE.slice(1)}-${SPAN}-01`,
  'two headers': `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  'very long': `01-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`,
}))
  test(`an invalid header is ignored: ${what}`, () => assert.equal(readTraceParent(header), undefined));
