// Tests of sending spans, with a receiver that refuses, is away and comes back.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import type { FinishedSpan } from './span.ts';

let server: Server;
let answers: { readonly status: number; readonly body?: string }[] = [];
let bodies: number[] = [];
const messages: string[] = [];

before(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(JSON.parse(text).resourceSpans[0].scopeSpans[0].spans.length);
    const { status, body = '{}' } = answers.shift() ?? { status: 200 };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  answers = [];
  bodies = [];
  messages.length = 0;
});
after(() => void server.close());

const SPAN: FinishedSpan = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentId: undefined,
  name: 'work',
  kind: 'internal',
  startedAt: 1_790_000_000_000,
  endedAt: 1_790_000_000_001,
  attributes: {},
  isFailed: false,
};

function exporter(limits: object = {}, url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`): OtlpExporter {
  return new OtlpExporter({
    url: new URL(url),
    headers: {},
    source: { resource: {}, scope: { name: 'test', version: '1' } },
    onTrouble: (reason) => messages.push(reason),
    onBack: () => messages.push('back'),
    limits: { delayMs: 60_000, firstPauseMs: 1, ...limits },
  });
}

function add(to: OtlpExporter, count: number): void {
  for (let index = 0; index < count; index++) to.add(SPAN);
}

test('spans are sent in batches, the rest at the end', async () => {
  const sends = exporter({ batch: 3 });
  add(sends, 8);
  await sends.close();
  assert.deepEqual([bodies, sends.counts(), messages], [[3, 3, 2], { sent: 8, dropped: 0 }, []]);
});

test('spans beyond the queue are dropped and counted', async () => {
  const sends = exporter({ waiting: 5, batch: 100 });
  add(sends, 12);
  await sends.close();
  add(sends, 1);
  assert.deepEqual([bodies, sends.counts()], [[5], { sent: 5, dropped: 8 }]);
});

test('a receiver that is busy is asked again, one that refuses is not', async () => {
  answers = [{ status: 503 }, { status: 429 }, { status: 200 }, { status: 400 }];
  const sends = exporter({ batch: 2 });
  add(sends, 4);
  await sends.close();
  assert.deepEqual([bodies, sends.counts(), messages], [[2, 2, 2, 2], { sent: 2, dropped: 2 }, ['status 503', 'back', 'status 400']]);
});

test('spans that the receiver rejects are counted as dropped', async () => {
  answers = [
    { status: 200, body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' },
    { status: 200, body: 'no JSON' },
  ];
  const sends = exporter({ batch: 3 });
  add(sends, 4);
  await sends.close();
  assert.deepEqual(sends.counts(), { sent: 2, dropped: 2 });
});

test('a stop does not wait for a receiver that is unavailable', async () => {
  const sends = exporter({ batch: 1, closingMs: 20, firstPauseMs: 60_000 }, 'http://127.0.0.1:9/v1/traces');
  add(sends, 3);
  await until('the first attempt fails', () => messages.length > 0);
  await sends.close();
  assert.deepEqual(sends.counts(), { sent: 0, dropped: 3 });
  assert.deepEqual(messages, ['ECONNREFUSED']);
});
