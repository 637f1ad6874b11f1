import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { type Delivery, deliveryOf } from './answer.ts';
import { ConsoleSender, type Deliver } from './sender.ts';
import { Spool } from './spool.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-sender-test-'));
after(() => rmSync(folder, { recursive: true }));

/** A server that keeps the bytes it gets, and gives the answers of the test. */
class Server {
  bytes = Buffer.alloc(0);
  readonly answers: Delivery[] = [];
  calls = 0;
  isUnavailable = false;

  deliver: Deliver = async (offset, bytes) => {
    this.calls++;
    if (this.isUnavailable) return { kind: 'again' };
    const answer = this.answers.shift();
    if (answer) return answer;
    assert.ok(offset <= this.bytes.length, 'there is a gap');
    this.bytes = Buffer.concat([this.bytes, bytes.subarray(this.bytes.length - offset)]);
    return { kind: 'sent', length: this.bytes.length };
  };
}

let count = 0;
function opened(server: Server, onRefused = () => {}) {
  const spool = new Spool(join(folder, `${++count}.log`), (failure) => assert.fail(failure));
  return { spool, sender: new ConsoleSender(spool, server.deliver, onRefused) };
}

test('everything arrives once and in order', async () => {
  const server = new Server();
  const { spool, sender } = opened(server);
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`);
  for (const line of lines) {
    spool.append(Buffer.from(line));
    sender.appended(false);
  }
  await sender.delivered();
  assert.equal(server.bytes.toString(), lines.join(''));
  assert.ok(server.calls < 10, `${server.calls} requests for ${lines.length} lines`);
});

test('after a while without output a line is sent at once, and the next ones together', async () => {
  const server = new Server();
  const { spool, sender } = opened(server);
  for (const line of ['a\n', 'b\n']) {
    spool.append(Buffer.from(line));
    sender.appended(false);
  }
  await until('the first request', () => server.calls === 1);
  assert.equal(server.bytes.toString(), 'a\nb\n');
});

test('a server that is away gets all when it is back', async () => {
  const server = new Server();
  const { spool, sender } = opened(server);
  server.isUnavailable = true;
  spool.append(Buffer.from('while away\n'));
  sender.appended(true);
  await until('two attempts', () => server.calls > 1);
  spool.append(Buffer.from('more\n'));
  server.isUnavailable = false;
  await sender.delivered();
  assert.equal(server.bytes.toString(), 'while away\nmore\n');
});

test('bytes that the server has lost are sent again', async () => {
  const server = new Server();
  const { spool, sender } = opened(server);
  spool.append(Buffer.from('abc'));
  await sender.delivered();
  server.bytes = Buffer.from('a');
  server.answers.push({ kind: 'sent', length: 1 });
  spool.append(Buffer.from('def'));
  await sender.delivered();
  assert.equal(server.bytes.toString(), 'abcdef');
});

test('a server that wants no more gets no more', async () => {
  const server = new Server();
  let isRefused = false;
  const { spool, sender } = opened(server, () => (isRefused = true));
  server.answers.push({ kind: 'refused' });
  spool.append(Buffer.from('abc'));
  await sender.delivered();
  spool.append(Buffer.from('def'));
  sender.appended(true);
  await sender.delivered();
  assert.deepEqual([isRefused, server.calls, server.bytes.length], [true, 1, 0]);
});

test('programs wait when a server that answers is more than 8 MB behind, but not for one that is away', async () => {
  const server = new Server();
  const { spool, sender } = opened(server);
  spool.append(Buffer.alloc(9 * 1024 * 1024, 'x'));
  assert.equal(sender.isFull, true);
  server.isUnavailable = true;
  sender.appended(false);
  await sender.room();
  assert.equal(sender.isFull, false);
  server.isUnavailable = false;
  await sender.delivered();
  assert.equal(server.bytes.length, 9 * 1024 * 1024);
});

describe('the delivery by status and body of the answer', () => {
  for (const [status, body, expected] of [
    [200, '{"length": 7}', { kind: 'sent', length: 7 }],
    [409, '{"length": 3}', { kind: 'sent', length: 3 }],
    [409, '{"length": 5}', { kind: 'refused' }],
    [409, '{"message": "not yours"}', { kind: 'refused' }],
    [404, '', { kind: 'refused' }],
    [401, '', { kind: 'again' }],
    [503, '<html>', { kind: 'again' }],
    [200, '<html>', { kind: 'again' }],
  ] as const) {
    test(`${status} ${body}`, () => assert.deepEqual(deliveryOf(status, body, 5), expected));
  }
});

describe('the file', () => {
  test('is gone when it is not needed any more', () => {
    const path = join(folder, 'gone.log');
    const spool = new Spool(path, () => assert.fail());
    spool.append(Buffer.from('abc'));
    spool.remove();
    assert.ok(!readdirSync(folder).includes('gone.log'));
  });

  test('a file that cannot be written is reported, and the last lines are kept in memory', async () => {
    const failures: Error[] = [];
    const spool = new Spool('/dev/full', (failure) => failures.push(failure));
    spool.append(Buffer.from('abc'));
    spool.append(Buffer.from('def'));
    assert.match(failures[0]!.message, /ENOSPC/);
    assert.deepEqual([failures.length, spool.read(0, 10).toString(), spool.read(4, 10).toString()], [1, 'abcdef', 'ef']);
  });

  test('a file that cannot be made is reported, and the last lines are kept in memory', async () => {
    const failures: Error[] = [];
    const spool = new Spool(join(folder, 'nowhere', 'x.log'), (failure) => failures.push(failure));
    spool.append(Buffer.from('abc'));
    await Promise.resolve();
    assert.match(failures[0]!.message, /ENOENT/);
    assert.deepEqual([failures.length, spool.read(0, 10).toString()], [1, 'abc']);
    spool.remove();
  });

  test('a file that cannot be read is reported once, with a blank line for the lost bytes, and the rest is sent', async () => {
    const failures: Error[] = [];
    const [path, server] = [join(folder, 'cut.log'), new Server()];
    const spool = new Spool(path, (failure) => {
      failures.push(failure);
      spool.append(Buffer.from('why\n'));
    });
    const sender = new ConsoleSender(spool, server.deliver, () => assert.fail());
    spool.append(Buffer.from('first\n'));
    await sender.delivered();
    spool.append(Buffer.from('lost for ever\n'));
    truncateSync(path, 0);
    await sender.delivered();
    assert.equal(server.bytes.toString(), `first\n${' '.repeat(13)}\nwhy\n`);
    assert.deepEqual(
      failures.map(({ message }) => message),
      [`${path} has become shorter.`],
    );
  });
});
