// Traces, through a whole server, as a receiver gets them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { idsOf } from '../../src/server/telemetry/build-traces.ts';
import { BuildLab, git, job, stage } from '../builds/engine/lab.ts';
import { ConfigRepoServer, yaml } from '../config-repos/support/config-repo-server.ts';
import { isEmbedded } from '../support/database/database.ts';
import { accepted } from '../support/requests/callers.ts';
import { ADMIN_PASSWORD } from '../support/server/server.ts';
import { OtlpReceiver, type ReceivedSpan } from '../support/services/otlp-receiver.ts';
import { startWebServer, type WebServer } from '../support/services/web-server.ts';
import { until } from '../support/until.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SECRET = 'a-secret-of-a-webhook-000000000000';
const LOGIN = 'Basic cmVjZWl2ZXI6c2VjcmV0';

let receiver: OtlpReceiver;
let lab: BuildLab;
let hooked: WebServer;
const hookHeaders: (string | string[] | undefined)[] = [];

before(async () => {
  receiver = await OtlpReceiver.start();
  hooked = await startWebServer((request, response) => {
    hookHeaders.push(request.headers.traceparent);
    response.end();
  });
  lab = await BuildLab.start({
    'traces-url': receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(LOGIN)}`,
    'allow-private-webhooks': 'true',
    'trust-proxy': '127.0.0.1',
  });
});
after(async () => {
  await lab.stop();
  await hooked.stop();
  await receiver.stop();
  assert.deepEqual(receiver.problems, []);
});

/** The question whether other servers have written. */
const WHERE_SHARED = isEmbedded ? [] : ['refresh'];

const traced = (flags: string, traceId = TRACE) => ({ headers: { traceparent: `00-${traceId}-${PARENT}-${flags}` } });

function found(what: string, check: () => ReceivedSpan | undefined): Promise<ReceivedSpan> {
  return until(what, check);
}

test('a request goes on with the trace of its sender', async () => {
  accepted(await lab.server.get('/api/version', traced('01')));
  const span = await found('its span', () => receiver.named('GET /api/version')[0]);
  assert.deepEqual([span.traceId, span.parentSpanId, span.kind, span.isFailed], [TRACE, PARENT, 2, false]);
  assert.deepEqual([span.attributes['http.route'], span.attributes['http.response.status_code']], ['/api/version', 200]);
  assert.equal(receiver.resource['service.name'], 'slipway');
  assert.equal(receiver.headers[0], LOGIN);
  assert.deepEqual(
    receiver.childrenOf(span).map(({ name }) => name),
    [...WHERE_SHARED, 'auth', 'handle'],
  );
});

test('the trace of a change has its steps: it waits, is decided and is committed', async () => {
  accepted(await lab.server.post('/api/admin/environments', { name: 'traced' }));
  const span = await found('its span', () => receiver.named('POST /api/admin/environments')[0]);
  const steps = receiver.childrenOf(span).map(({ name }) => name);
  assert.deepEqual(steps.toSorted(), ['auth', 'body', 'commit', 'decide', 'handle', ...WHERE_SHARED, 'wait']);
});

test('a trace that a proxy does not want to be recorded is not, and invalid ids begin a new one', async () => {
  const other = TRACE.replace('4', '5');
  accepted(await lab.server.get('/api/version', traced('00', other)));
  accepted(await lab.server.get('/api/current_user', { headers: { traceparent: `00-${'0'.repeat(32)}-${PARENT}-01` } }));
  const span = await found('a trace of its own', () => receiver.named('GET /api/current_user')[0]);
  assert.equal(span.parentSpanId, undefined);
  assert.ok(!receiver.text.includes(other));
});

test('lines of the log name the trace', async () => {
  const mine = TRACE.replace('4', '6');
  accepted(await lab.server.post('/api/admin/environments', { name: 'logged' }, traced('01', mine)));
  const line = await until('its line', () => lab.server.lines.find((one) => one.includes(mine)));
  const { traceId, requestId, path } = JSON.parse(line);
  assert.deepEqual([traceId, path], [mine, '/api/admin/environments']);
  const span = await found('its span', () => receiver.spans.find(({ attributes }) => attributes['slipway.request_id'] === requestId));
  assert.equal(span.traceId, mine);
});

test('polls, config repos, stages and jobs are traces', async () => {
  const origin = await lab.origin('traced');
  await lab.pipeline('traced', { materials: [git(origin)], stages: [stage('build', { jobs: [job('one')] })] });
  await lab.poll('traced');
  const run = await lab.run('traced', 1);
  const agent = await lab.agent();
  const work = await agent.take();
  await agent.begin(work);
  await agent.complete(work);
  await lab.result('traced', 1, 'build');

  const poll = await found('the poll', () => receiver.named('material update')[0]);
  assert.deepEqual([poll.attributes['slipway.material.type'], poll.attributes['slipway.poll.result']], ['git', 'ok']);
  const whole = await found('the stage', () => receiver.named('stage')[0]);
  const serverId = lab.parts.configuration.config.of('serverIdentity').find('')!.value.serverId;
  assert.equal(whole.traceId, idsOf(serverId).trace(run.id));
  const [ran] = receiver.childrenOf(whole);
  assert.deepEqual([ran!.name, ran!.attributes['slipway.job'], ran!.attributes['slipway.result']], ['job', 'one', 'Passed']);
  assert.deepEqual(
    receiver.childrenOf(ran!).map(({ name }) => name),
    ['Scheduled', 'Assigned', 'Preparing', 'Building', 'Completing'],
  );
  const variable = work.environment.find(({ name }) => name === 'TRACEPARENT');
  assert.equal(variable?.value, `00-${whole.traceId}-${ran!.spanId}-01`, 'its tasks go on with the trace');

  await origin.commit('pipelines', { 'p.gocd.yaml': yaml('files', { 'of-a-file': undefined }) });
  await new ConfigRepoServer(lab.server).add('files', origin.path);
  const repo = await found('the config repo', () => receiver.spans.find(({ attributes }) => attributes['slipway.outcome'] === 'published'));
  assert.deepEqual([repo.name, repo.attributes['slipway.config_repo']], ['config repo update', 'files']);
  const steps = new Set(receiver.childrenOf(repo).map(({ name }) => name));
  for (const step of ['read', 'publish', 'commit']) assert.ok(steps.has(step), step);
});

test('a webhook is sent the trace of its delivery', async () => {
  accepted(await lab.server.post('/api/admin/webhooks', { id: 'hook', url: `${hooked.url}/in?key=${SECRET}`, secret: SECRET }));
  accepted(await lab.server.post('/api/admin/environments', { name: 'told' }));
  const delivery = await found('a delivery', () => receiver.named('webhook delivery')[0]);
  const [call] = receiver.childrenOf(delivery);
  assert.deepEqual([call!.kind, call!.attributes['http.response.status_code']], [3, 200]);
  assert.ok(hookHeaders.includes(`00-${call!.traceId}-${call!.spanId}-01`));
});

test('no secret is in the traces, and all spans have arrived', async () => {
  const count = async () => {
    const { text } = accepted(await lab.server.get('/metrics', { accept: null }));
    const [, sent, dropped] = /^slipway_trace_spans_total\{result="sent"\} (\d+)\n.*"dropped"\} (\d+)$/m.exec(text)!;
    return { sent: Number(sent), dropped: Number(dropped) };
  };
  const { dropped } = await count();
  assert.equal(dropped, 0);
  for (const secret of [SECRET, ADMIN_PASSWORD, LOGIN, '?']) assert.ok(!receiver.text.includes(secret), secret);
});
