// A receiver of traces by OTLP over HTTP, which takes nothing that is not as the protocol has it.
import assert from 'node:assert/strict';
import { startWebServer, type WebServer } from './web-server.ts';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly nanos: bigint;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly isFailed: boolean;
}

type Members = Readonly<Record<string, unknown>>;

const REQUIRED = ['traceId', 'spanId', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano', 'attributes', 'status'];

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly problems: string[] = [];
  readonly headers: (string | undefined)[] = [];
  /** All bodies as they came. */
  text = '';
  resource: ReceivedSpan['attributes'] = {};
  /** The status codes of the next answers; 200 when there is none. */
  readonly nextStatuses: number[] = [];
  #server!: WebServer;

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.#server = await startWebServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const status = receiver.nextStatuses.shift() ?? 200;
      if (status !== 200) return void response.writeHead(status).end();
      receiver.headers.push(request.headers.authorization);
      receiver.text += text;
      try {
        assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces');
        assert.equal(request.headers['content-type'], 'application/json');
        receiver.#take(JSON.parse(text));
      } catch (failure) {
        receiver.problems.push((failure as Error).message);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    return receiver;
  }

  get url(): string {
    return this.#server.url;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  named(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  childrenOf({ spanId, traceId }: ReceivedSpan): ReceivedSpan[] {
    return this.spans.filter((span) => span.parentSpanId === spanId && span.traceId === traceId);
  }

  #take(body: unknown): void {
    for (const one of list(only(body, ['resourceSpans']).resourceSpans)) {
      const { resource, scopeSpans } = only(one, ['resource', 'scopeSpans']);
      this.resource = attributes(only(resource, ['attributes']).attributes);
      for (const scoped of list(scopeSpans)) {
        const { scope, spans } = only(scoped, ['scope', 'spans']);
        const { name, version } = only(scope, ['name', 'version']);
        assert.deepEqual([typeof name, typeof version], ['string', 'string']);
        for (const span of list(spans)) this.spans.push(spanIn(span));
      }
    }
  }
}

function spanIn(value: unknown): ReceivedSpan {
  const span = only(value, REQUIRED, ['parentSpanId']);
  const { code } = only(span.status, [], ['code']);
  assert.ok(code === undefined || code === 2, 'status');
  assert.ok(typeof span.name === 'string' && span.name !== '', 'name');
  assert.ok([1, 2, 3].includes(span.kind as number), 'kind');
  const nanos = time(span.endTimeUnixNano) - time(span.startTimeUnixNano);
  assert.ok(nanos >= 0n, 'a span ends before it begins');
  return {
    traceId: hex(span.traceId, 32),
    spanId: hex(span.spanId, 16),
    parentSpanId: span.parentSpanId === undefined ? undefined : hex(span.parentSpanId, 16),
    name: span.name,
    kind: span.kind as number,
    nanos,
    attributes: attributes(span.attributes),
    isFailed: code === 2,
  };
}

/** An object with these members, and no others but the optional ones. */
function only(value: unknown, required: readonly string[], optional: readonly string[] = []): Members {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), 'an object');
  const names = Object.keys(value);
  for (const name of required) assert.ok(names.includes(name), `${name} is missing`);
  for (const name of names) assert.ok(required.includes(name) || optional.includes(name), `${name} is not known`);
  return value as Members;
}

function list(value: unknown): readonly unknown[] {
  assert.ok(Array.isArray(value), 'a list');
  return value;
}

function hex(value: unknown, digits: number): string {
  assert.ok(typeof value === 'string' && new RegExp(`^[0-9a-f]{${digits}}$`).test(value) && !/^0+$/.test(value), `an id: ${value}`);
  return value;
}

/** Nanoseconds of this century, as a text. */
function time(value: unknown): bigint {
  assert.ok(typeof value === 'string' && /^1[5-9]\d{17}$/.test(value), `a time: ${value}`);
  return BigInt(value);
}

function attributes(value: unknown): ReceivedSpan['attributes'] {
  const pairs = list(value).map((one) => {
    const { key, value: held } = only(one, ['key', 'value']);
    assert.ok(typeof key === 'string' && key !== '', 'key');
    return [key, attributeValue(held)] as const;
  });
  assert.equal(new Set(pairs.map(([key]) => key)).size, pairs.length, 'a key twice');
  return Object.fromEntries(pairs);
}

function attributeValue(held: unknown): string | number | boolean {
  const [[type = '', value] = []] = Object.entries(only(held, [], ['stringValue', 'intValue', 'doubleValue', 'boolValue']));
  if (type === 'intValue') assert.ok(typeof value === 'string' && /^-?\d+$/.test(value), 'intValue');
  const expected = { stringValue: 'string', intValue: 'string', doubleValue: 'number', boolValue: 'boolean' }[type];
  assert.equal(typeof value, expected, `a value: ${type}`);
  return type === 'intValue' ? Number(value) : (value as string | number | boolean);
}
