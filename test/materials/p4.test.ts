// Polling Perforce through a stand-in for its program, which answers in the documented form.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { clientSpec } from '../../src/kit/p4/client-spec.ts';
import type { P4Material } from '../../src/materials/types/p4/material.ts';
import { p4Client } from '../../src/materials/types/p4/p4-client.ts';
import { P4_STAND_IN, type P4Change, type P4State } from './support/p4-stand-in.ts';
import { allTextOf, batchesOf, commandLinesDuring, filesHolding, Lab, pollAll } from './support/polling.ts';
import { assertGivenUp, assertMissed } from './support/program-trouble.ts';
import { installStandIn } from './support/stand-in.ts';

const lab = new Lab();
const PASSWORD = "hunter2 ü'$(x)";
const standIn = installStandIn('p4', P4_STAND_IN, lab.newPath('bin'));
const calls = join(standIn.folder, 'calls.jsonl');
after(() => {
  standIn.restore();
  lab.remove();
});

const change = (number: number, files: P4Change['files'], more: Partial<P4Change> = {}): P4Change => ({
  change: number,
  time: 1_700_000_000 + number,
  user: 'ann',
  client: 'ann-desk',
  desc: `change ${number}\n`,
  files,
  ...more,
});
const CHANGES = [
  change(10, [{ path: '//depot/app/a.txt', action: 'add', text: 'a' }]),
  change(12, [{ path: '//depot/other/x.txt', action: 'add', text: 'x' }]),
  change(15, [
    { path: '//depot/app/a.txt', action: 'edit', text: 'b' },
    { path: '//depot/app/b.txt', action: 'move/add', text: 'b' },
  ]),
];
const setState = (more: Partial<P4State> = {}) =>
  standIn.setState({ user: 'bob', password: PASSWORD, security: 'password', changes: CHANGES, ...more } satisfies P4State);
beforeEach(() => {
  setState();
  for (const name of ['calls.jsonl', 'clients.json']) rmSync(join(standIn.folder, name), { force: true });
});

const material: P4Material = {
  type: 'p4',
  fingerprint: 'f',
  port: 'p4.example.org:1666',
  view: '//depot/app/... //something/...',
  username: 'bob',
  password: PASSWORD,
  useTickets: false,
};
const commandsRun = () =>
  readFileSync(calls, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { args: string[] }).args.find((word) => word !== '-G'));

describe('new changes', () => {
  test('the first poll gives the newest change in the view, later polls all since', async () => {
    const context = lab.context();
    assert.deepEqual(await pollAll(p4Client, material, undefined, context), [
      {
        revision: '15',
        userName: 'ann@ann-desk',
        email: null,
        comment: 'change 15',
        modifiedTime: new Date(1_700_000_015_000),
        files: [
          { name: 'app/a.txt', action: 'modified' },
          { name: 'app/b.txt', action: 'added' },
        ],
      },
    ]);
    const all = await pollAll(p4Client, material, '10', context);
    assert.deepEqual(
      all.map(({ revision }) => revision),
      ['15'],
    );
    const lines = commandsRun();
    assert.deepEqual(lines, ['client', 'changes', 'describe', 'changes', 'describe'], 'the client workspace is made once');
    assert.deepEqual(await pollAll(p4Client, material, '15', context), []);
    assert.deepEqual(commandsRun().slice(5), ['changes']);
  });

  test('many changes come in batches, oldest first, with texts of every kind', async () => {
    const strange = change(2000, [{ path: '//depot/app/%40at %23hash %2Astar %25percent ü 日本.txt', action: 'purge' }], {
      desc: 'ünï\n\n... depotFile0 //depot/fake\n\u0000 0{s',
      user: 'zoë',
    });
    setState({
      changes: [...Array.from({ length: 1200 }, (_, index) => change(100 + index, [{ path: '//depot/app/f', action: 'edit' }])), strange],
    });
    const batches = await batchesOf(p4Client, material, '100', lab.context());
    const all = batches.flat();
    assert.ok(batches.length >= 3);
    assert.deepEqual(
      all.map(({ revision }) => revision),
      [...Array.from({ length: 1199 }, (_, index) => String(101 + index)), '2000'],
    );
    assert.deepEqual(all.at(-1)!.files, [{ name: 'app/@at #hash *star %percent ü 日本.txt', action: 'deleted' }]);
    assert.equal(all.at(-1)!.comment, 'ünï\n\n... depotFile0 //depot/fake\n\u0000 0{s');
    assert.equal(all.at(-1)!.userName, 'zoë@ann-desk');
    assert.equal(commandsRun().filter((name) => name === 'describe').length, 12, 'not one process for each change');
  });

  test('a view without any change is reported', async () => {
    const empty = { ...material, view: '//depot/empty/... //c/...' };
    await assert.rejects(pollAll(p4Client, empty, undefined, lab.context()), /The view shows no submitted change\./);
    assert.deepEqual(await pollAll(p4Client, empty, '3', lab.context()), []);
    await assert.rejects(p4Client.checkConnection({ ...material, view: 'nonsense' }, lab.context()), /Error in client specification/);
  });

  test('a client workspace that was deleted is made again', async () => {
    const context = lab.context();
    await pollAll(p4Client, material, undefined, context);
    rmSync(join(standIn.folder, 'clients.json'));
    assert.equal((await pollAll(p4Client, material, undefined, context)).length, 1);
  });
});

describe('logging in', () => {
  test('the password is shown nowhere', async () => {
    for (const security of ['password', 'ticket'] as const) {
      setState({ security });
      const one = { ...material, useTickets: security === 'ticket' };
      const context = lab.context();
      const lines = await commandLinesDuring(async () => {
        await p4Client.checkConnection(one, context);
        assert.equal((await pollAll(p4Client, one, undefined, context)).length, 1);
      });
      assert.ok(
        [...lines].some((line) => line.includes('p4')),
        'a command was seen',
      );
      // The watch takes samples: that this one was among the commands is recorded by the stand-in itself.
      assert.ok(commandsRun().includes('describe'));
      assert.ok(!readFileSync(join(standIn.folder, 'calls.jsonl'), 'utf8').includes(PASSWORD));
      assert.deepEqual(
        [...lines].filter((line) => line.includes(PASSWORD)),
        [],
      );
      assert.deepEqual(filesHolding(context.directory, PASSWORD), []);
      const logins = commandsRun().filter((name) => name === 'login').length;
      assert.equal(logins, security === 'ticket' ? 1 : 0, 'once');
      const environment = readFileSync(calls, 'utf8').trim().split('\n').at(-1)!;
      assert.equal(environment.includes('P4PASSWD'), security === 'password', 'with tickets the password is not in the environment either');
    }
  });

  test('a wrong password is reported without repeating it, and not tried for ever', async () => {
    for (const useTickets of [false, true]) {
      setState({ security: useTickets ? 'ticket' : 'password' });
      const failure = await pollAll(p4Client, { ...material, password: 'wr0ng-s3cret', useTickets }, undefined, lab.context()).then(
        () => assert.fail('let in'),
        (reason) => reason,
      );
      assert.match(failure.message, /password.* invalid/i);
      assert.doesNotMatch(allTextOf(failure), /wr0ng/);
    }
    await assert.rejects(p4Client.checkConnection({ ...material, username: 'eve' }, lab.context()), /Access for user 'eve'/);
  });

  test('a server without a known key, and a missing server, are reported', async () => {
    setState({ isTrusted: false });
    await assert.rejects(p4Client.checkConnection(material, lab.context()), /authenticity .* can't be established/);
    const unchecked = { ...lab.context(), tls: { uncheckedHosts: ['127.0.0.1'] } };
    await p4Client.checkConnection({ ...material, port: 'ssl:127.0.0.1:1666' }, unchecked);
    const { P4TRUST } = process.env;
    process.env.P4TRUST = lab.newPath('trusted');
    writeFileSync(process.env.P4TRUST, material.port);
    try {
      await p4Client.checkConnection(material, lab.context());
    } finally {
      if (P4TRUST === undefined) delete process.env.P4TRUST;
      else process.env.P4TRUST = P4TRUST;
    }
    await assert.rejects(p4Client.checkConnection({ ...material, port: 'nowhere:1' }, lab.context()), /Connect to server failed/);
  });

  test('a port that would start a program is refused', async () => {
    for (const port of ['rsh:sh -c "touch /tmp/x"', 'RSH:1666', 'jsh:x', 'ssl:host:1666 -x', 'host:1666;id', 'evil:thing'])
      await assert.rejects(pollAll(p4Client, { ...material, port }, undefined, lab.context()), /must use tcp or ssl/, port);
  });

  test('a server that never answers is given up', () => assertGivenUp('p4', p4Client, material, lab, "process.argv[2] === '-G'"));

  test('a missing program is reported', () => assertMissed('p4', p4Client, material, lab));
});

test('revisions are checked out', async () => {
  const into = lab.newPath('into with blank');
  const context = lab.context();
  await p4Client.checkOut!(material, '10', into, context);
  assert.deepEqual(readdirSync(into), ['a.txt']);
  await p4Client.checkOut!(material, '15', into, context);
  assert.deepEqual(readdirSync(into).toSorted(), ['a.txt', 'b.txt']);
  assert.equal(readFileSync(join(into, 'a.txt'), 'utf8'), 'b');
  await assert.rejects(p4Client.checkOut!(material, '#head', into, context), /no change/);
});

test('views name our client in place of any other', () => {
  const view =
    '//depot/dir1/... //something/...\r\n\n  -//depot/dir1/x/... //other/x/...\n"//depot/with blank/..." "//c/with blank/..."\n//depot/alone/...';
  assert.equal(
    clientSpec('me', '/data/root', view),
    [
      'Client: me',
      '',
      'Root: /data/root',
      '',
      'Options: noallwrite clobber nocompress unlocked nomodtime rmdir',
      '',
      'LineEnd: local',
      '',
      'View:',
      '\t//depot/dir1/... //me/...',
      '\t-//depot/dir1/x/... //me/x/...',
      '\t"//depot/with blank/..." "//me/with blank/..."',
      '\t//depot/alone/... //me/depot/alone/...',
      '',
    ].join('\n'),
  );
});
