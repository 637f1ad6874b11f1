// The completion of shells: asked as scripts ask, and by real shells: bash, and zsh and fish where they are installed.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../../support/patience.ts';
import { smallPipeline } from '../../support/requests/bodies.ts';
import { accepted } from '../../support/requests/callers.ts';
import { COMMAND_LINE } from '../../support/server/programs.ts';
import { until } from '../../support/until.ts';
import { CommandLab } from './lab.ts';

const run = promisify(execFile);
let lab: CommandLab;
before(async () => {
  lab = await CommandLab.start();
  for (const name of ['prod', 'preview']) accepted(await lab.server.post('/api/admin/environments', { name }));
  accepted(await lab.server.post('/api/admin/pipelines', { group: 'web', pipeline: smallPipeline('shop') }));
});
after(() => lab.stop());

async function completions(...typed: readonly string[]): Promise<readonly string[]> {
  const [kind, ...lines] = (await lab.out('__complete', ...typed)).trim().split('\n');
  assert.equal(kind, 'words');
  return lines.map((line) => line.split('\t')[0]!);
}

describe('the completion', () => {
  test('offers commands and options', async () => {
    assert.ok((await completions('')).includes('login'));
    assert.deepEqual(await completions('cont'), ['context']);
    assert.deepEqual(await completions('context', 'r'), ['rename']);
    assert.deepEqual(await completions('list', '--out'), ['--output']);
    assert.deepEqual(await completions('list', '-o', 'j'), ['json']);
  });

  test('offers names of the server, and local contexts', async () => {
    // The completion gives up after a moment, and a busy machine may need longer.
    const inTime = (...typed: string[]) =>
      until('an answer in time', async () => {
        const found = await completions(...typed);
        return found.length > 0 && found;
      });
    assert.deepEqual(await inTime('get', 'envi'), ['environments']);
    assert.deepEqual(await inTime('get', 'environment', 'p'), ['preview', 'prod']);
    assert.deepEqual(await completions('get', 'environment', 'prod', ''), []);
    assert.deepEqual(await inTime('run', ''), ['shop']);
    assert.deepEqual(await completions('log', 's'), ['shop']);
    assert.deepEqual(await completions('context', 'use', ''), ['lab']);
    assert.equal(await lab.out('__complete', 'create', 'environment', '-f', ''), 'files\n');
  });

  test('is kept for a moment, where only the user can read it', async () => {
    const folder = join(lab.home, '.cache', 'slipway', 'completion');
    const files = readdirSync(folder);
    assert.ok(files.length >= 3);
    for (const file of files) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
    accepted(await lab.server.post('/api/admin/environments', { name: 'later' }));
    assert.deepEqual(await completions('get', 'environment', ''), ['preview', 'prod']);
  });

  test('offers no name that would be read as an option', async () => {
    const agents = ['--url=http://127.0.0.1:1', 'plain'].map((hostname) => ({ hostname, agent_state: 'Idle' }));
    const stranger = createServer((_, response) => response.end(JSON.stringify({ _embedded: { agents } }))).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    assert.deepEqual(await completions('agents', 'enable', '--url', `http://127.0.0.1:${port}`, '--token', 'x', ''), ['plain']);
    stranger.close();
  });

  test('is empty, without a message, if no server answers', async () => {
    const { out, err } = await lab.expect(0, ['__complete', 'get', '--url', 'http://127.0.0.1:1', '--token', 'x', '']);
    assert.deepEqual([out, err], ['words\n', '']);
    assert.equal((await lab.expect(0, ['__complete', 'get', 'nonsense', ''])).out, 'words\n');
  });
});

test('bash completes with its script', async () => {
  const environment = { ...process.env, HOME: lab.home, NODE: process.execPath, MAIN: COMMAND_LINE };
  const complete = (line: string) =>
    `COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(x); COMP_CWORD=0; _slipway; echo "\${COMPREPLY[*]}"`;
  const script = [
    'slipway() { "$NODE" "$MAIN" "$@"; }',
    'eval "$(slipway completion bash)"',
    'complete -p slipway',
    complete('slipway cont'),
    complete('slipway get environment pro'),
    // For bash, the text before a colon has been typed already.
    'slipway context rename lab 127.0.0.1:8153 > /dev/null',
    complete('slipway context use 127.0.0.1:'),
    'slipway context rename 127.0.0.1:8153 lab > /dev/null',
  ].join('\n');
  const { stdout, stderr } = await run('bash', ['-c', script], { env: environment });
  assert.deepEqual([stdout, stderr], ['complete -F _slipway slipway\ncontext\nprod\n8153\n', '']);
});

test('bash quotes the completed name: no name becomes a command', async () => {
  const script = [
    (await lab.out('completion', 'bash')).trim(),
    `slipway() { printf 'words\\nx;$(touch evil)\\tan agent\\n'; }`,
    `COMP_LINE='slipway agents enable x'; COMP_POINT=\${#COMP_LINE}; _slipway; printf '%s' "\${COMPREPLY[0]}"`,
  ].join('\n');
  const { stdout } = await run('bash', ['-c', script]);
  assert.equal(stdout, 'x\\;\\$\\(touch\\ evil\\)');
});

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const withoutShell = (shell: string) => ({ skip: isInstalled(shell) ? false : `${shell} is not installed` });

test('zsh completes with its script, and quotes the completed name', withoutShell('zsh'), async () => {
  const linesFile = join(lab.home, 'zsh-lines');
  const stranger = 'x;$(touch evil)';
  // Only a zsh with a terminal completes. A key of its own writes the line to a file.
  const script = [
    'zmodload zsh/zpty',
    'zpty shell zsh -f -i',
    `type() { zpty -w -n shell "$1"$'\\t\\x14'; while [[ $(wc -l < "$TYPED") -lt $2 ]] do sleep 0.05; done }`,
    ': > "$TYPED"',
    `zpty -w shell 'slipway() { "$NODE" "$MAIN" "$@" }'`,
    `zpty -w shell 'autoload -U compinit; compinit -u -D; source <(slipway completion zsh)'`,
    `zpty -w shell 'note() { print -r -- "$BUFFER" >> "$TYPED"; BUFFER= }; zle -N note; bindkey "^T" note'`,
    `type 'slipway cont' 1`,
    `type 'slipway get environment pro' 2`,
    `type 'slipway context use 127.0.0.1:' 3`,
    `zpty -w shell 'slipway() { printf "words\\n%s\\tan agent\\n" "$STRANGER" }'`,
    `type 'slipway agents enable x' 4`,
    'zpty -d shell',
  ].join('\n');
  await lab.out('context', 'rename', 'lab', '127.0.0.1:8153');
  const env = { ...process.env, HOME: lab.home, NODE: process.execPath, MAIN: COMMAND_LINE, TYPED: linesFile, STRANGER: stranger };
  await run('zsh', ['-f', '-c', script], { env, timeout: PATIENCE_MS }).finally(() =>
    lab.out('context', 'rename', '127.0.0.1:8153', 'lab'),
  );
  assert.deepEqual(
    readFileSync(linesFile, 'utf8')
      .split('\n')
      .map((line) => line.trimEnd()),
    [
      'slipway context',
      'slipway get environment prod',
      'slipway context use 127.0.0.1:8153',
      'slipway agents enable x\\;\\$\\(touch\\ evil\\)',
      '',
    ],
  );
});

test('fish completes with its script', withoutShell('fish'), async () => {
  lab.file('some-environment.yaml', '');
  const script = [
    'function slipway; "$NODE" "$MAIN" $argv; end',
    'slipway completion fish | source',
    "complete -C 'slipway cont'",
    "complete -C 'slipway get environment pro'",
    `complete -C 'slipway create environment -f some-env'`,
  ].join('\n');
  const env = { ...process.env, HOME: lab.home, NODE: process.execPath, MAIN: COMMAND_LINE };
  const { stdout, stderr } = await run('fish', ['--no-config', '-c', script], { env, cwd: lab.home });
  assert.deepEqual([stdout.split('\n').map((line) => line.split('\t')[0]), stderr], [['context', 'prod', 'some-environment.yaml', ''], '']);
});

test('the shells bash, zsh and fish have a script, and no other', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) assert.match(await lab.out('completion', shell), /__complete/);
  assert.match((await lab.expect(2, ['completion', 'powershell'])).err, /SHELL must be one of bash, zsh, fish/);
});
