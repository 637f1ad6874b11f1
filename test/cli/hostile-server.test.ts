// Commands against a server that answers as it should not: nothing of its answers is an order to the terminal, and kept logins stay.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { slipway } from '../support/server/command-line.ts';

/** Sets the title of the window, clears the screen, goes up, and hides what follows. */
const ORDERS = '\u001b]0;mine\u0007\u001b[2J\u009b1A\r\u001b[8m\u202e';
const ESCAPE = '\u001b';
const COLOUR = new RegExp(`${ESCAPE}\\[\\d+m`, 'g');
const FORM = {
  resource: 'environments',
  title: 'Environments',
  singular: `environment${ORDERS}`,
  is_singleton: false,
  path: '/api/environments',
  version: 1,
  address_field: 'name',
  list_key: 'environments',
};

let server: Server;
let home: string;
let url: string;
/** The answers by method and path. */
let answers: Readonly<Record<string, unknown>> = {};

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'slipway-hostile-test-'));
  writeFileSync(join(home, 'cruise.xml'), '<cruise/>');
  server = createServer((request, response) => {
    request.resume();
    const answer = answers[`${request.method} ${request.url!.split('?')[0]}`];
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? { message: `no${ORDERS}` });
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json', Location: '/api/backups/7' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = addressOf(server);
});

after(() => {
  server.close();
  rmSync(home, { recursive: true });
});

const terminal = () => ({ environment: { HOME: home, SLIPWAY_URL: url, SLIPWAY_TOKEN: 'mine' }, directory: home, isTTY: true });

test('nothing that a server answers moves the cursor of a terminal', async () => {
  const agent = { uuid: `u${ORDERS}`, hostname: 'one', agent_state: ORDERS, environments: [], free_space: 0 };
  const backup = { id: 7, status: 'ERROR', message: ORDERS, path: ORDERS, phases: [], script: { problem: ORDERS }, copy: null };
  const plan = { created: [{ kind: 'pipelines', id: ORDERS }], changed: [], removed: [], unchanged: 0, schema_version: 139 };
  answers = {
    'GET /api/current_user': { login_name: `ann${ORDERS}` },
    'GET /api/agents': { _embedded: { agents: [agent] } },
    'PATCH /api/agents': { message: `done${ORDERS}` },
    'POST /api/backups': {},
    'GET /api/backups/7': backup,
    'POST /api/admin/config/import': { ...plan, ignored: [{ what: ORDERS, why: ORDERS }], warnings: [{ line: 1, message: ORDERS }] },
    'GET /api/admin/config.xml': `<cruise>${ORDERS}</cruise>`,
    'GET /api/forms': { forms: [FORM] },
    'GET /api/environments': { _embedded: { environments: [{ name: `prod${ORDERS}` }] } },
    'GET /api/environments/prod': { name: `prod${ORDERS}` },
    'POST /api/admin/config/plan': { errors: [{ resource: ORDERS, id: null, path: '', message: ORDERS }] },
  };
  const lines = [
    'login --token mine',
    'agents enable one',
    'agents --json',
    'backup --no-wait',
    'import cruise.xml',
    'export',
    'list environments -o name',
    'get environments prod -o json',
    'get environments prod -o name',
    'delete environments prod --yes',
    'plan cruise.xml',
    'why up42',
  ];
  for (const line of lines) {
    const { out, err } = await slipway(line.split(' '), terminal());
    const shown = `${out}${err}`;
    assert.match(shown, /\\u\{001b\}\]0;mine|\\u001b\]0;mine/, `${line} shows what was sent: ${JSON.stringify(shown)}`);
    // Colours are allowed: they end with their line.
    const rest = shown.replaceAll(COLOUR, '');
    assert.doesNotMatch(rest, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u, line);
  }
});

test('a login whose answer has no name or token leaves the kept logins as they are', async () => {
  const file = join(home, '.config', 'slipway', 'contexts.json');
  answers = { 'GET /api/current_user': { login_name: 'ann' } };
  const signed = (line: string) => slipway(line.split(' '), { environment: { HOME: home }, directory: home });
  assert.equal((await signed(`login ${url} --token mine --context good`)).status, 0);
  const kept = readFileSync(file, 'utf8');
  answers = { 'GET /api/current_user': {}, 'POST /api/current_user/access_tokens': { username: 'ann', token: 7, id: 1 } };
  for (const how of ['--token mine', '--user ann --password secret']) {
    const { status, err } = await signed(`login ${url} ${how} --context other`);
    assert.deepEqual([status, err], [1, `${url} does not answer as a Slipway server does: its answer has no name or token.\n`]);
    assert.equal(readFileSync(file, 'utf8'), kept);
  }
});

test('no request, such as one with the key of an imported file, is sent on to another host', async (context) => {
  const heard: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    heard.push(request.url);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  const moved = createServer((request, response) => {
    request.resume();
    response.writeHead(307, { Location: `${addressOf(other)}${request.url}` }).end();
  }).listen(0, '127.0.0.1');
  context.after(() => [other, moved].forEach((one) => void one.close()));
  await Promise.all([once(other, 'listening'), once(moved, 'listening')]);
  writeFileSync(join(home, 'cipher.aes'), '0'.repeat(32));
  const environment = { HOME: home, SLIPWAY_URL: addressOf(moved), SLIPWAY_TOKEN: 'mine' };
  const { status, err } = await slipway(['import', 'cruise.xml', '--cipher-key', 'cipher.aes'], { environment, directory: home });
  assert.deepEqual([status, err], [1, `${addressOf(moved)} redirects to ${addressOf(other)}: give that address as --url.\n`]);
  assert.deepEqual(heard, []);
});

function addressOf(of: Server): string {
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
}
