// Tests of where traces are sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './settings.ts';

type Environment = Readonly<Record<string, string>>;

function tracesOf(args: readonly string[], environment: Environment = {}) {
  const result = readSettings(args, environment);
  assert.ok('settings' in result, JSON.stringify(result));
  const { traces } = result.settings;
  return traces && { ...traces, url: traces.url.href };
}

function problemOf(args: readonly string[], environment: Environment = {}): string {
  const result = readSettings(args, environment);
  assert.ok('problem' in result);
  return result.problem;
}

const DEFAULTS = { ratio: 1, headers: {}, serviceName: 'slipway' };

test('traces are not sent unless an address is set', () => assert.equal(tracesOf([]), undefined));

test('the path of traces is added to an address without it', () => {
  const url = 'http://127.0.0.1:4318/v1/traces';
  for (const given of ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/', url])
    assert.deepEqual(tracesOf(['--traces-url', given]), { ...DEFAULTS, url });
  assert.equal(tracesOf([], { SLIPWAY_TRACES_URL: 'https://x.org/otlp' })!.url, 'https://x.org/otlp/v1/traces');
});

test('the variables of OpenTelemetry count, ours more', () => {
  assert.equal(tracesOf([], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' })!.url, 'http://c:4318/v1/traces');
  assert.equal(tracesOf([], { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/in' })!.url, 'http://c:4318/in');
  assert.equal(tracesOf(['--traces-url', 'http://own'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' })!.url, 'http://own/v1/traces');
  const named = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c',
    OTEL_SERVICE_NAME: 'cd',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20eHk6eg==, x-a=1',
  };
  assert.deepEqual(tracesOf(['--traces-ratio', '0.25'], named), {
    url: 'http://c/v1/traces',
    ratio: 0.25,
    headers: { authorization: 'Basic eHk6eg==', 'x-a': '1' },
    serviceName: 'cd',
  });
});

for (const [name, value] of [
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_SDK_DISABLED', 'true'],
  ['OTEL_TRACES_EXPORTER', 'none'],
] as const)
  test(`an endpoint for all programs is not used with ${name}=${value}`, () =>
    assert.equal(tracesOf([], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317', [name]: value }), undefined));

test('invalid settings are reported without secrets', () => {
  assert.match(problemOf(['--traces-url', 'collector:4318']), /^--traces-url must be an address such as/);
  assert.match(problemOf(['--traces-ratio', '1.5']), /from 0 to 1, such as 0\.1, not '1\.5'/);
  for (const message of [
    problemOf(['--traces-url', 'http://me:secret@c']),
    problemOf([], { SLIPWAY_TRACES_URL: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'no name: secret' }),
    problemOf([], { SLIPWAY_TRACES_URL: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'a=secret%0d%0ab: c' }),
  ]) {
    assert.match(message, /OTEL_EXPORTER_OTLP_HEADERS/);
    assert.doesNotMatch(message, /secret/);
  }
});
