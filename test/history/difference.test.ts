// Differences between two states: each field in plain words, and a patch that holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldChangeSteps, fieldChanges } from '../../src/history/difference/difference.ts';
import { difference } from '../../src/history/difference/entity-difference.ts';
import { patchSteps } from '../../src/history/difference/patch.ts';
import { SECRET, withoutSecrets } from '../../src/history/difference/secrets.ts';
import { registry } from '../../src/resources/index.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import { isObject, type JsonObject } from '../../src/shape/json/json.ts';
import { type Entity, kindsOf } from '../../src/shape/resource.ts';
import { assertLinear } from '../support/patience.ts';
import { applyPatch } from './apply-patch.ts';
import { CIPHER_TEXT, related } from './states.ts';

const descriptions = (before: JsonObject, after: JsonObject) => fieldChanges(before, after).map((change) => change.words);
const jsonPatch = (before: JsonObject, after: JsonObject) => [...patchSteps(before, after)].filter((operation) => operation !== undefined);
const kindNamed = (name: KindName) => kindsOf(registry).find((kind) => kind.name === name)!;

test('the patch makes the later state of the earlier one, both without secrets', () => {
  fc.assert(
    fc.property(related(1), ([before, after]) => {
      assert.deepEqual(applyPatch(withoutSecrets(before), jsonPatch(before, after!)), withoutSecrets(after!));
    }),
    { numRuns: 1000 },
  );
});

test('two states have changes if, and only if, they differ', () => {
  fc.assert(
    fc.property(related(1), ([before, after]) => {
      const changes = fieldChanges(before, after!);
      assert.equal(changes.length > 0, JSON.stringify(before) !== JSON.stringify(after));
      assert.equal(jsonPatch(before, after!).length > 0, changes.length > 0);
      assert.deepEqual(fieldChanges(after!, after!), []);
    }),
  );
});

test('members that only hold others are not named', () => {
  const having = (...packages: string[]) => ({
    _embedded: { packages: packages.map((name) => ({ name })) },
    attributes: { url: packages.join() },
  });
  assert.deepEqual(descriptions(having('a'), having('a', 'b')), ["package 'b' added", "url changed from 'a' to 'a,b'"]);
});

test('no cipher text is ever shown', () => {
  fc.assert(
    fc.property(related(1), ([before, after]) => {
      const shown = JSON.stringify([fieldChanges(before, after!), jsonPatch(before, after!)]);
      assert.ok(!decodeURIComponent(shown).includes(CIPHER_TEXT), shown);
    }),
  );
});

test('a path leads to the field, in the later state or, for a removed field, in the earlier one', () => {
  const before = {
    stages: [
      { name: 'a', jobs: [{ name: 'x', timeout: 1 }] },
      { name: 'b', jobs: [] },
    ],
  };
  const after = {
    stages: [
      { name: 'b', jobs: [] },
      { name: 'A', jobs: [{ name: 'x', timeout: 2 }] },
    ],
  };
  assert.deepEqual(fieldChanges(before, after), [
    {
      path: '/stages/1/name',
      operation: 'replace',
      field: "stage 'a', name",
      before: 'a',
      after: 'A',
      words: "stage 'a', name changed from 'a' to 'A'",
    },
    {
      path: '/stages/1/jobs/0/timeout',
      operation: 'replace',
      field: "stage 'a', job 'x', timeout",
      before: 1,
      after: 2,
      words: "stage 'a', job 'x', timeout changed from 1 to 2",
    },
    {
      path: '/stages',
      operation: 'move',
      field: 'stages',
      before: ["stage 'a'", "stage 'b'"],
      after: ["stage 'b'", "stage 'A'"],
      words: "stages put into another order: stage 'b', stage 'A'",
    },
  ]);
});

test('members are found by name, in any place', () => {
  const variable = (name: string, value: string) => ({ secure: false, name, value });
  assert.deepEqual(
    descriptions(
      { environment_variables: [variable('A', '1'), variable('B', '2'), variable('C', '3')] },
      { environment_variables: [variable('Z', '0'), variable('A', '1'), variable('C', '4')] },
    ),
    ["environment variable 'B' removed", "environment variable 'Z' added", "environment variable 'C', value changed from '3' to '4'"],
  );
});

test('materials are found by their name or by their target; the only one of its type is the same one, changed', () => {
  const git = (url: string, more = {}) => ({ type: 'git', attributes: { url, branch: 'main', name: null, ...more } });
  const upstream = { type: 'dependency', attributes: { pipeline: 'up', stage: 's', name: null } };
  assert.deepEqual(descriptions({ materials: [git('x'), git('y')] }, { materials: [git('y', { auto_update: false }), git('x')] }), [
    "material 'y', auto update set to false",
    "materials put into another order: material 'y', material 'x'",
  ]);
  assert.deepEqual(descriptions({ materials: [git('x'), upstream] }, { materials: [upstream, git('z')] }), [
    "material 'x', url changed from 'x' to 'z'",
    "materials put into another order: material 'up', material 'z'",
  ]);
  assert.deepEqual(descriptions({ materials: [git('x'), git('y')] }, { materials: [git('z'), git('w')] }), [
    "material 'x' removed",
    "material 'y' removed",
    "material 'z' added",
    "material 'w' added",
  ]);
});

test('materials that differ only by a part of their identity are found, whichever part it is', () => {
  const tfs = (more: object) => ({ type: 'tfs', attributes: { url: 'x', project_path: '$/app', username: 'ann', domain: 'one', ...more } });
  for (const other of [{ domain: 'two' }, { username: 'bob' }]) {
    const [one, two] = [tfs({}), tfs(other)];
    assert.deepEqual(descriptions({ materials: [one, two] }, { materials: [tfs({ ...other, auto_update: false }), one] }), [
      "material 'x', auto update set to false",
      "materials put into another order: material 'x', material 'x'",
    ]);
  }
});

test('materials whose logins change are the same ones', () => {
  const svn = (url: string, username: string) => ({ type: 'svn', attributes: { url, username, check_externals: false } });
  assert.deepEqual(descriptions({ materials: [svn('x', 'a'), svn('y', 'a')] }, { materials: [svn('x', 'b'), svn('y', 'b')] }), [
    "material 'x', username changed from 'a' to 'b'",
    "material 'y', username changed from 'a' to 'b'",
  ]);
});

test('tasks have no names: equal ones are found, different ones in the same gap have changed', () => {
  const task = (command: string) => ({ type: 'exec', attributes: { run_if: [], command } });
  assert.deepEqual(descriptions({ tasks: [task('a'), task('b'), task('c')] }, { tasks: [task('new'), task('a'), task('B'), task('c')] }), [
    'task number 1 added',
    "task number 3, command changed from 'b' to 'B'",
  ]);
});

test('the order of arguments counts, so they are one value; that of users does not', () => {
  assert.deepEqual(descriptions({ arguments: ['-f', 'a'] }, { arguments: ['a', '-f'] }), [
    'arguments changed from ["-f","a"] to ["a","-f"]',
  ]);
  assert.deepEqual(descriptions({ users: ['jez', 'ann'] }, { users: ['ann', 'tom'] }), ["user 'jez' removed", "user 'tom' added"]);
});

test('secrets are only said to have changed', () => {
  const variable = (cipher: string) => ({ environment_variables: [{ secure: true, name: 'K', encrypted_value: cipher }] });
  assert.deepEqual(fieldChanges(variable('v1:a'), variable('v1:b')), [
    {
      path: '/environment_variables/0/encrypted_value',
      operation: 'replace',
      field: "environment variable 'K', secret value",
      before: SECRET,
      after: SECRET,
      words: "environment variable 'K', secret value changed",
    },
  ]);
  assert.deepEqual(descriptions({ secret_config: 'a' }, { secret_config: 'b' }), ["secret config changed from 'a' to 'b'"]);
  const mail = (cipher: string | null) => ({ encrypted_password: cipher });
  assert.deepEqual(descriptions(mail(null), mail('v1:a')), ['secret password set']);
  assert.deepEqual(descriptions(mail('v1:a'), mail(null)), ['secret password removed']);
  const address = (cipher: string) => ({ url: `https://me:${encodeURIComponent(`v1:${cipher}`)}@host` });
  assert.deepEqual(descriptions(address('a'), address('b')), ['url changed in its password']);
});

test('long values are cut in words, not in the change itself', () => {
  const [change] = fieldChanges({ script: 'a' }, { script: 'b'.repeat(5000) });
  assert.ok(change!.words.length < 200);
  assert.equal(String(change!.after).length, 5000);
});

test('an entity is compared as its kind writes it; a secret that was encrypted anew is none that has changed', async () => {
  const environments = kindNamed('environments');
  const state = (cipherText: string, digest: string): Entity => ({
    name: 'Prod',
    pipelines: ['web'],
    environmentVariables: [{ name: 'K', value: { cipherText, digest } }],
  });
  assert.deepEqual(await difference(environments, state('v1:a', '1'), state('v1:b', '1')), { changes: [], patch: [] });
  const { changes, patch } = await difference(environments, state('v1:a', '1'), { ...state('v1:b', '2'), pipelines: ['web', 'api'] });
  assert.deepEqual(
    changes.map((change) => change.words),
    ["pipeline 'api' added", "environment variable 'K', secret value changed"],
  );
  assert.deepEqual(patch, [
    { op: 'add', path: '/pipelines/1', value: { name: 'api' } },
    { op: 'replace', path: '/environment_variables/0/encrypted_value', value: SECRET },
  ]);
});

test('a created or deleted entity is one change', async () => {
  const environments = kindNamed('environments');
  const entity: Entity = { name: 'Prod', pipelines: [], environmentVariables: [{ name: 'K', value: { cipherText: 'v1:a', digest: '1' } }] };
  const shown = { name: 'Prod', pipelines: [], environment_variables: [{ secure: true, name: 'K', encrypted_value: SECRET }] };
  assert.deepEqual(await difference(environments, undefined, entity), {
    changes: [{ path: '', operation: 'add', after: shown, words: "Environment config 'Prod' created" }],
    patch: [{ op: 'add', path: '', value: shown }],
  });
  assert.deepEqual((await difference(environments, entity, undefined)).changes[0]?.words, "Environment config 'Prod' deleted");
  assert.deepEqual(await difference(environments, undefined, undefined), { changes: [], patch: [] });
  assert.ok(isObject((await difference(environments, entity, undefined)).changes[0]?.before));
});

test('long lists do not take long, whatever is changed in them', async () => {
  const numbers = (size: number) => Array.from({ length: size }, (_, number) => number);
  const others: Readonly<Record<string, (size: number) => readonly [JsonObject, JsonObject]>> = {
    'artifacts that are all others': (size) => {
      const having = (word: string) => ({ artifacts: numbers(size).map((number) => ({ type: 'build', source: `${word}${number}` })) });
      return [having('a'), having('b')];
    },
    'tasks that are far more': (size) => {
      const having = (count: number) => ({
        tasks: numbers(count).map((number) => ({ type: 'exec', attributes: { command: `${number}` } })),
      });
      return [having(2), having(size)];
    },
    'variables in another order': (size) => {
      const variables = numbers(10 * size).map((number) => ({ name: `v${number}` }));
      return [{ environment_variables: variables }, { environment_variables: variables.toReversed() }];
    },
  };
  for (const [what, make] of Object.entries(others)) {
    await assertLinear(`changes of ${what}`, (size) => fieldChanges(...make(size)), 4000);
    await assertLinear(`patch of ${what}`, (size) => jsonPatch(...make(size)), 4000);
  }
});

test('a long list in another order is replaced as a whole, and a short one member by member', () => {
  const having = (size: number) => ({ environment_variables: Array.from({ length: size }, (_, number) => ({ name: `v${number}` })) });
  const reversed = ({ environment_variables: variables }: ReturnType<typeof having>) => ({ environment_variables: variables.toReversed() });
  const operations = (size: number) => jsonPatch(having(size), reversed(having(size))).map(({ op }) => op);
  assert.deepEqual(operations(3), ['move', 'move']);
  assert.deepEqual(operations(10_000), ['replace']);
});

test('long lists are compared in as many steps as they have members, also when hardly anything has changed', () => {
  const state = (last: string) => ({
    jobs: Array.from({ length: 1000 }, (_, index) => ({ name: `j${index}`, timeout: index < 999 ? '' : last })),
  });
  for (const steps of [fieldChangeSteps, patchSteps]) {
    const all = [...steps(state('1'), state('2'))];
    assert.ok(all.length >= 1000);
    assert.equal(all.filter((one) => one !== undefined).length, 1);
  }
});
