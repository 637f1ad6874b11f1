// A server that is killed during an update of a config repo: the next one serves the definitions in force at once, and finishes by itself.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALLOW_ALL, PATH, until, yaml } from '../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { basic } from '../support/requests/basic.ts';
import { untilKeeper } from '../support/server/keeper.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-kill-'));
const dataDir = join(directory, 'data');
const marks = join(directory, 'marks');
const pathBefore = process.env.PATH;
const LOGIN = basic('admin', 'secret');
/** Longer than it takes to notice that it has begun. */
const SLOW_SECONDS = 0.5;
const isLong = process.env.TEST_ROUNDS !== undefined;
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 1);

/** The command of git that is slow in each state; none: the process is killed right after the answer. Behind the last one there is none: the process is killed so many milliseconds after it. */
const STATES: readonly { readonly state: string; readonly command: string; readonly laterMs?: number }[] = [
  { state: 'asked', command: '' },
  { state: 'looking', command: 'fetch' },
  { state: 'reading', command: 'diff-tree' },
  { state: 'parsing', command: 'cat-file' },
  ...(isLong ? [0, 8, 25] : [8]).map((laterMs) => ({ state: `publishing, after ${laterMs} ms`, command: 'cat-file', laterMs })),
];

let origin: GitOrigin;
let server: ServerProcess;
before(async () => {
  mkdirSync(marks);
  origin = await GitOrigin.make(join(directory, 'origin'));
  placeSlowGit();
  server = await startProcess(dataDir);
});
after(async () => {
  process.env.PATH = pathBefore;
  await server.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** Says when each of its commands begins and ends, and takes its time where it is told to. */
function placeSlowGit(): void {
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const words = 'fetch|diff-tree|cat-file';
  const script = `#!/bin/sh
for word in "$@"; do case "$word" in ${words}) command=$word; break;; esac; done
[ -z "$command" ] && exec ${real} "$@"
: > ${marks}/$command-begun
[ -e ${marks}/slow-$command ] && sleep ${SLOW_SECONDS}
${real} "$@"
status=$?
: > ${marks}/$command-ended
exit $status
`;
  const folder = join(directory, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  process.env.PATH = [folder, pathBefore].join(delimiter);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function ask(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      Accept: 'application/vnd.svc+json',
      Authorization: LOGIN,
      'X-Svc-Confirm': 'true',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  assert.ok(response.status < 300, JSON.stringify(json));
  return json;
}

async function defined(): Promise<string> {
  const { groups } = await ask('GET', `${PATH}/one/definitions`);
  return groups
    .flatMap(({ pipelines }: { pipelines: { name: string }[] }) => pipelines.map(({ name }) => name))
    .toSorted()
    .join(' ');
}

const rest = () => until('the end of the update', async () => !(await ask('GET', `${PATH}/one/status`)).in_progress);
const mark = (name: string) => join(marks, name);

test('the cycle goes on after kills in every state, several times on one data directory', async () => {
  await origin.commit('first', { 'a.gocd.yaml': yaml('g', { 'p-0': undefined }), 'b.gocd.yaml': yaml('g', { b: undefined }) });
  const material = { type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } };
  await ask('POST', PATH, { id: 'one', plugin_id: 'yaml.config.plugin', material, rules: ALLOW_ALL });
  await rest();
  let inForce = 'b p-0';
  assert.equal(await defined(), inForce);
  let count = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { state, command, laterMs } of STATES) {
      const about = `round ${round}, ${state}`;
      const name = `p-${++count}`;
      await origin.commit(about, { 'a.gocd.yaml': yaml('g', { [name]: undefined }) });
      for (const word of ['begun', 'ended']) rmSync(mark(`${command}-${word}`), { force: true });
      const isSlow = laterMs === undefined;
      if (isSlow) writeFileSync(mark(`slow-${command}`), '');
      await ask('POST', `${PATH}/one/trigger_update`);
      if (command) await until(about, async () => existsSync(mark(`${command}-${isSlow ? 'begun' : 'ended'}`)));
      await pause(laterMs ?? 0);
      await server.end('SIGKILL');
      rmSync(mark(`slow-${command}`), { force: true });

      server = await startProcess(dataDir);
      await untilKeeper(dataDir, server);
      assert.doesNotMatch(server.output(), /"level":(?:40|50|"warn"|"error")/, about);
      const wanted = `b ${name}`;
      const first = await defined();
      assert.ok(first === inForce || first === wanted, `${about}: ${first}`);
      await until(`${about}: ${wanted}`, async () => (await defined()) === wanted);
      await rest();
      inForce = wanted;
    }
  }
  const health = (await ask('GET', '/api/server_health_messages')) as { message: string }[];
  assert.deepEqual(
    health.filter(({ message }) => !message.endsWith('has weak hashes')),
    [],
  );
  const { _embedded } = await ask('GET', `${PATH}/one/parses?page_size=100`);
  assert.ok(
    _embedded.parses.every(
      ({ outcome, files_matched: matched }: { outcome: string; files_matched: number }) => outcome === 'published' && matched === 2,
    ),
  );
});
