// The commands `history`, `diff`, `revert` and `events`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { slipway } from '../../support/server/command-line.ts';
import { until } from '../../support/until.ts';
import { CommandLab } from './lab.ts';

let lab: CommandLab;
/** The revisions that created it, moved it to the south, and gave it a mode. */
let [created, moved, extended]: readonly string[] = [];
before(async () => {
  lab = await CommandLab.start({ port: String(await freePort()) });
  const set = async (verb: readonly string[], body: string) =>
    /as revision (\d+)\./.exec((await lab.expect(0, [...verb, '-f', '-', '--reason', 'a test'], { input: body })).out)![1]!;
  const region = (value: string) =>
    `name: prod\nenvironment_variables:\n- { name: KEY, value: geheim, secure: true }\n- { name: REGION, value: ${value}, secure: false }\n`;
  created = await set(['create', 'environment'], region('north'));
  moved = await set(['set', 'environment', 'prod'], region('south'));
  extended = await set(['set', 'environment', 'prod'], `${region('south')}- { name: MODE, value: fast, secure: false }\n`);
});
after(() => lab.stop());

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

describe('history', () => {
  test('lists the revisions of everything, of a resource, and of one entity', async () => {
    const all = await lab.out('history');
    assert.match(
      all,
      new RegExp(`^REVISION +TIME +WHO +WHAT +NAME +REASON\n${extended} +\\S+ +admin +update environments prod +- +a test\n`),
    );
    assert.equal((await lab.out('history', 'environments', '--limit', '2', '-o', 'name')).trim(), `${extended}\n${moved}`);
    const one = await lab.out('history', 'environment', 'prod');
    assert.match(
      one,
      new RegExp(
        `^revision ${moved} {2}.* {2}admin {2}update\n {2}reason: a test\n {2}environment variable 'REGION', value changed from 'north' to 'south'$`,
        'm',
      ),
    );
    const [newest] = JSON.parse(await lab.out('history', 'environment', 'prod', '-o', 'json'));
    assert.deepEqual([newest.revision, newest.operation, newest.actor], [Number(extended), 'update', 'admin']);
    await lab.expect(3, ['history', 'environment', 'none']);
    assert.match((await lab.expect(2, ['history', '--limit', '0'])).err, /--limit must be a number from 1 to 500/);
  });
});

test('terminal escapes in texts of other users are printed as visible escapes', async () => {
  const variable = (value: string) => ({ name: 'BANNER', value, secure: false });
  const evil = (value: string) => ({ name: 'evil', environment_variables: [variable(value)] });
  const { etag } = accepted(await lab.server.post('/api/admin/environments', evil('plain')));
  accepted(await lab.server.put('/api/admin/environments/evil', evil('\u001b[1A\u001b[2Khidden'), etag!));
  const shown = [
    await lab.out('history', 'environment', 'evil'),
    await lab.out('diff', 'environment', 'evil', '--from', String(extended)),
    (await lab.expect(0, ['delete', 'environment', 'evil', '--dry-run'])).out,
    (await lab.expect(0, ['set', 'environment', 'evil', '-f', '-', '--dry-run'], { input: JSON.stringify(evil('other')) })).out,
  ];
  assert.ok(shown[0]?.includes('\\u{001b}[1A\\u{001b}[2Khidden'), JSON.stringify(shown[0]));
  for (const text of shown) assert.ok(!text.includes('\u001b'), JSON.stringify(text));
});

describe('diff', () => {
  const diff = (...more: readonly string[]) => lab.out('diff', 'environment', 'prod', ...more);

  test('shows the difference between two revisions or times', async () => {
    assert.match(
      await diff('--from', created!, '--to', moved!),
      /^~ environments prod\n {4}environment variable 'REGION', value changed from 'north' to 'south'\n/,
    );
    assert.match(await diff('--from', moved!), /environment variable 'MODE' added/);
    assert.match(await diff('--from', String(Number(created) - 1)), /^\+ environments prod$/m);
    assert.equal(await diff('--from', extended!), 'No differences.\n');
    const { changes } = JSON.parse(await diff('--from', created!, '-o', 'json'));
    assert.equal(changes[0].differences.length, 2);
  });

  test('shows the difference from a file', async () => {
    assert.equal(await diff('-f', lab.file('same.yaml', await lab.out('get', 'environment', 'prod'))), 'No differences.\n');
    const file = lab.file('other.yaml', (await lab.out('get', 'environment', 'prod')).replace('fast', 'slow'));
    assert.match(await diff('-f', file), /'fast' to 'slow'/);
    await lab.expect(1, ['diff', 'environment', 'prod', '-f', file, '--exit-code']);
    await lab.expect(0, ['diff', 'environment', 'prod', '-f', 'same.yaml', '--exit-code']);
  });

  test('refuses wrong arguments, and an unknown name', async () => {
    for (const more of [[], ['--from', '1', '-f', 'x'], ['-f', 'x', '--to', '2']])
      await lab.expect(2, ['diff', 'environment', 'prod', ...more]);
    await lab.expect(3, ['diff', 'environment', 'none', '--from', '1']);
  });
});

test('diff says of a secret only that it was changed', async () => {
  const body = 'name: with-secret\nenvironment_variables: [{ name: KEY, value: SECRET, secure: true }]\n';
  const send = async (verb: readonly string[], secret: string) =>
    lab.expect(0, [...verb, '-f', '-', '-o', 'yaml'], { input: body.replace('SECRET', secret) });
  await send(['create', 'environment'], 'geheim');
  const [first] = (await lab.out('history', 'environment', 'with-secret', '-o', 'name')).split('\n');
  await send(['set', 'environment', 'with-secret'], 'verborgen');
  const diff = await lab.out('diff', 'environment', 'with-secret', '--from', first!);
  assert.match(diff, /^~ environments with-secret\n.*'KEY'.* changed$/m);
  const shown = await lab.out('get', 'environment', 'with-secret');
  assert.match(shown, /encrypted_value: /);
  // The shown text can be sent again.
  assert.equal((await lab.expect(0, ['set', 'environment', 'with-secret', '-f', '-'], { input: shown })).out, 'Nothing changed.\n');
  for (const text of [diff, shown, await lab.out('history', 'environment', 'with-secret')]) assert.doesNotMatch(text, /geheim|verborgen/);
});

describe('revert', () => {
  const mode = async () => /MODE/.test(await lab.out('get', 'environment', 'prod'));

  test('takes back a revision after a preview and a question', async () => {
    assert.match(await lab.out('revert', extended!, '--dry-run'), /environment variable 'MODE' removed/);
    const no = await lab.expect(1, ['revert', extended!], { typed: ['n'] });
    assert.match(no.err, /'MODE' removed.*Take back revision \d+\? \[y\/N\] Nothing was changed\./s);
    assert.ok(await mode());
    assert.match((await lab.expect(0, ['revert', extended!], { typed: ['y'] })).out, /^Done, as revision \d+\.\n$/);
    assert.ok(!(await mode()));
    await lab.expect(2, ['revert', moved!]);
  });

  test('names the later change that prevents it', async () => {
    await lab.expect(0, ['set', 'environment', 'prod', '-f', '-'], {
      input: 'environment_variables: [{ name: REGION, value: west, secure: false }]',
    });
    const { err } = await lab.expect(1, ['revert', moved!, '--yes']);
    assert.match(err, /cannot be reverted.*\(422\)\n {2}.*\(revision \d+, admin\)/);
    await lab.expect(3, ['revert', '999999', '--yes']);
  });

  test('brings one entity back to an earlier revision', async () => {
    const { out } = await lab.expect(0, ['revert', 'environment', 'prod', '--to', created!, '--yes', '--reason', 'as before']);
    assert.match(out, /'west' to 'north'.*\nDone, as revision/s);
    assert.match(await lab.out('history', '--limit', '1'), /as before/);
    for (const args of [['x'], ['environment', 'prod'], ['environment', 'prod', '--to', 'x']])
      await lab.expect(2, ['revert', ...args, '--yes']);
  });
});

describe('events', () => {
  test('prints the last events, oldest first, and only those that pass the filter', async () => {
    const lines = (await lab.out('events', '--type', 'configuration.*')).trim().split('\n');
    assert.match(lines.at(-1)!, /^\d+ {2}\S+Z {2}configuration\.changed {2}admin {2}update environments prod$/);
    const numbers = lines.map((line) => Number.parseInt(line, 10));
    assert.deepEqual(
      numbers,
      numbers.toSorted((one, other) => one - other),
    );
    assert.equal(JSON.parse((await lab.out('events', '--limit', '1', '-o', 'json')).trim()).type, 'configuration.changed');
    assert.match(await lab.out('events', '--after', '0', '--limit', '1'), /^1 {2}/);
    assert.match((await lab.expect(2, ['events', '--limit', '1001'])).err, /from 1 to 1000/);
    assert.match((await lab.expect(1, ['events', '--type', 'nonsense'])).err, /nonsense.*\(400\)/);
    await lab.expect(5, ['events', '--follow', '--after', '999999999']);
  });

  test('follows events across a restart of the server, each once and none missing', async () => {
    const last = JSON.parse(await lab.out('events', '--limit', '1', '-o', 'json')).number as number;
    let output = '';
    const change = (value: string) =>
      lab.expect(0, ['set', 'environment', 'prod', '-f', '-'], {
        input: `environment_variables: [{ name: REGION, value: ${value}, secure: false }]`,
      });
    const following = slipway(['events', '--follow', '--after', String(last), '--resource', 'environments', '--limit', '2', '-o', 'json'], {
      environment: { HOME: lab.home },
      onErr: (text) => (output += text),
    });
    await change('one');
    await lab.server.restart(async () => {
      await until('the words that it tries again', () => output.includes('Trying again'));
    });
    await change('two');
    const { status, out } = await following;
    assert.equal(status, 0);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      events.map(({ type, about }) => [type, about[0].id]),
      [
        ['configuration.changed', 'prod'],
        ['configuration.changed', 'prod'],
      ],
    );
    assert.equal(new Set(events.map(({ number }) => number)).size, 2);
  });
});
