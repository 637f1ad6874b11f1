// Tests how a console is followed over connections that break, with a small server.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { ConsoleLine } from './console-lines.ts';
import { followConsole, readConsole } from './follow-console.ts';

const JOB = { pipeline: 'a b', counter: '1', stage: 's', stageCounter: '2', job: 'j' };
const PATH = '/api/jobs/a%20b/1/s/2/j';
const line = (number: number): ConsoleLine => ({ line: number, time: null, tag: null, text: `text ${number}` });
const event = (number: number) => `id: ${number}\ndata: ${JSON.stringify(line(number))}\n\n`;

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
const job = (state: string, result = 'Unknown') => json({ name: 'j', state, result });
const cutOff =
  (text: string): Answer =>
  (response) => {
    response.write(text, () => setTimeout(() => response.destroy(), 20));
  };

/** Answers one request after the other. */
async function following(context: TestContext, from: number, answers: readonly Answer[]) {
  const [requests, printed, unavailable]: [string[], number[], (string | undefined)[]] = [[], [], []];
  const server = createServer((request, response) => {
    const { accept, 'last-event-id': last } = request.headers;
    requests.push([request.url, accept === 'text/event-stream' ? 'stream' : '', last ?? ''].join(' ').trim());
    const answer = answers[requests.length - 1];
    if (answer) answer(response, request);
    else response.writeHead(500).end('{"message": "asked too often"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const reader = {
    server: { url: `http://127.0.0.1:${port}`, authorization: 'bearer x' },
    job: JOB,
    from,
    print: async (lines: readonly ConsoleLine[]) => {
      printed.push(...lines.map((one) => one.line));
    },
    onUnavailable: (sentence: string | undefined) => {
      unavailable.push(sentence);
    },
  };
  return { reader, requests, printed, unavailable };
}

test('a stream that is cut off goes on after the last line, and the rest is read when the job is completed', async (context) => {
  const { reader, requests, printed } = await following(context, 3, [
    cutOff(event(3) + event(4) + event(5).slice(0, -9)),
    job('Building'),
    (response) => response.end(event(5)),
    job('Completed', 'Failed'),
    json(`${JSON.stringify(line(6))}\n`),
  ]);
  assert.equal((await followConsole(reader)).result, 'Failed');
  assert.deepEqual(printed, [3, 4, 5, 6]);
  assert.deepEqual(requests, [`${PATH}/console?from=3 stream`, PATH, `${PATH}/console stream 4`, PATH, `${PATH}/console?from=6`]);
});

test('a server that is away is asked again, and reported', async (context) => {
  const { reader, printed, unavailable } = await following(context, 0, [
    json({ message: 'starting' }, 503),
    (response) => response.destroy(),
    json({}, 404), // the same request without a body: where does it lead?
    (response) => response.end(event(0)),
    job('Completed', 'Passed'),
    json(''),
  ]);
  assert.equal((await followConsole(reader)).result, 'Passed');
  assert.deepEqual(printed, [0]);
  assert.match(String(unavailable[0]), /cannot answer now \(503\)\. Trying again\.$/);
  assert.match(String(unavailable[1]), /cannot be reached: .*\. Trying again\.$/);
  assert.deepEqual(unavailable.slice(2), [undefined]);
});

test('a completed job without a console gives its result, and a refused request fails', async (context) => {
  const gone = json({ message: 'Console log for j is unavailable' }, 404);
  const without = await following(context, 0, [gone, job('Completed', 'Cancelled'), gone]);
  assert.equal((await followConsole(without.reader)).result, 'Cancelled');
  const forbidden = await following(context, 0, [json({ message: 'Not yours.' }, 403)]);
  await assert.rejects(followConsole(forbidden.reader), /refused: Not yours\. \(403\)/);
  const unknown = await following(context, 0, [gone]);
  await assert.rejects(readConsole(unknown.reader), /unavailable \(404\)/);
});

test('a server that is away is not waited for unless the console is followed', async (context) => {
  const { reader, unavailable } = await following(context, 0, [json({ message: 'It starts.' }, 503), json({ lines: [] })]);
  await assert.rejects(readConsole(reader), /It starts\. \(503\)/);
  assert.deepEqual(unavailable, []);
});

test('an answer about the job that is cut off is asked for again', async (context) => {
  const { reader, unavailable } = await following(context, 0, [
    (response) => response.end(event(0)),
    cutOff('{"name": "j", '),
    job('Completed', 'Passed'),
    json(''),
  ]);
  assert.equal((await followConsole(reader)).result, 'Passed');
  assert.match(unavailable[0]!, /its answer was cut off\. Trying again\./);
  assert.equal(unavailable[1], undefined);
});
