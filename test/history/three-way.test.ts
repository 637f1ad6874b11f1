// Merging the changes of two users to the same state: edits that do not overlap commute, and nothing is ever lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldChanges } from '../../src/history/difference/difference.ts';
import { type Merge, threeWay as threeWaySteps } from '../../src/history/difference/three-way.ts';
import type { Json, JsonObject } from '../../src/shape/json/json.ts';
import { assertLinear } from '../support/patience.ts';
import { CIPHER_TEXT, related } from './states.ts';

const RUNS = { numRuns: 2000 };

function threeWay(base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge {
  const steps = threeWaySteps(base, mine, theirs);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function merged(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  const merge = threeWay(base, mine, theirs);
  assert.ok('merged' in merge, JSON.stringify(merge));
  return merge.merged;
}

function overlaps(base: JsonObject, mine: JsonObject, theirs: JsonObject): readonly string[] {
  const merge = threeWay(base, mine, theirs);
  return 'overlaps' in merge ? merge.overlaps.map(({ path }) => path) : [];
}

/** The edits without the order of lists: a move lists all names, also those that the other side added. */
function edits(before: JsonObject, after: JsonObject): Set<string> {
  return new Set(
    fieldChanges(before, after)
      .filter(({ operation }) => operation !== 'move')
      .map((change) => JSON.stringify([change.operation, change.words.replace(/number \d+/g, 'number'), change.before, change.after])),
  );
}

test('a merge is the same when the two sides are swapped', () => {
  fc.assert(
    fc.property(related(2), ([base, mine, theirs]) => {
      const one = threeWay(base, mine!, theirs!);
      const other = threeWay(base, theirs!, mine!);
      if ('merged' in one) assert.deepEqual(other, one);
      else assert.ok('overlaps' in other);
    }),
    RUNS,
  );
});

test('a merge has every edit of both and no other; otherwise the overlap is reported', () => {
  let mergedOnes = 0;
  let torn = 0;
  fc.assert(
    fc.property(related(2), ([base, ...others]) => {
      // One material that went and another one that came look like one that was changed, so here all have the same.
      const [mine, theirs] = others.map((state) => ({ ...state, materials: base.materials! }));
      const merge = threeWay(base, mine!, theirs!);
      if ('overlaps' in merge) {
        torn++;
        assert.ok(merge.overlaps.length > 0);
        return;
      }
      mergedOnes++;
      assert.deepEqual(edits(base, merge.merged), edits(base, mine!).union(edits(base, theirs!)));
    }),
    RUNS,
  );
  // A property that is never put to the test proves nothing.
  assert.ok(mergedOnes > 100 && torn > 100, `${mergedOnes} merged, ${torn} torn`);
});

test('a side without changes takes over those of the other', () => {
  fc.assert(
    fc.property(related(1), ([base, other]) => {
      assert.deepEqual(threeWay(base, base, other!), { merged: other });
      assert.deepEqual(threeWay(base, other!, base), { merged: other });
      assert.deepEqual(threeWay(base, other!, other!), { merged: other });
    }),
  );
});

test('edits of different fields commute', () => {
  const base = pipeline();
  const targets = Object.keys(EDITS);
  const chosen = fc
    .shuffledSubarray(targets, { minLength: 2 })
    .chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 1, max: all.length - 1 })));
  fc.assert(
    fc.property(chosen, ([all, cut]) => {
      const apply = (names: readonly string[], to: JsonObject) => names.reduce((state, name) => EDITS[name]!(structuredClone(state)), to);
      const mine = apply(all.slice(0, cut), base);
      const theirs = apply(all.slice(cut), base);
      const both = merged(base, mine, theirs);
      assert.deepEqual(both, merged(base, theirs, mine));
      assert.deepEqual(sorted(both), sorted(apply(all, base)));
    }),
    { numRuns: 500 },
  );
});

test('the same field, changed by both in different ways, is an overlap', () => {
  const base = pipeline();
  for (const [name, edit] of Object.entries(EDITS)) {
    const mine = edit(structuredClone(base));
    const theirs = edit(structuredClone(base), 'other');
    const paths = overlaps(base, mine, theirs);
    const isRemoval = JSON.stringify(mine) === JSON.stringify(theirs);
    assert.equal(paths.length > 0, !isRemoval, `${name}: ${paths}`);
  }
});

test('overlaps are named by path and show no secret', () => {
  const base = { environment_variables: [variable('A', '1'), secret('K', 'a')] };
  const mine = { environment_variables: [secret('K', 'b'), variable('A', '1')] };
  const theirs = { environment_variables: [variable('A', '1'), secret('K', 'c')] };
  assert.deepEqual(threeWay(base, mine, theirs), {
    overlaps: [{ path: '/environment_variables/1/encrypted_value', base: '(secret)', mine: '(secret)', theirs: '(secret)' }],
  });
  fc.assert(
    fc.property(related(2), ([first, one, other]) => {
      const merge = threeWay(first, one!, other!);
      if ('overlaps' in merge) assert.ok(!decodeURIComponent(JSON.stringify(merge)).includes(CIPHER_TEXT));
    }),
  );
});

test('removed by one and changed by the other is an overlap', () => {
  const base = { environment_variables: [variable('A', '1'), variable('B', '1')] };
  const without = { environment_variables: [variable('B', '1')] };
  assert.deepEqual(overlaps(base, without, { environment_variables: [variable('A', '2'), variable('B', '1')] }), [
    '/environment_variables/0',
  ]);
  assert.deepEqual(merged(base, without, { environment_variables: [variable('A', '1'), variable('B', '2')] }), {
    environment_variables: [variable('B', '2')],
  });
});

test('forms of one field belong together', () => {
  const exec = (attributes: JsonObject) => ({ type: 'exec', attributes });
  assert.deepEqual(overlaps(exec({ command: 'x' }), exec({ command: 'x', arguments: ['a'] }), exec({ command: 'x', args: 'b' })), [
    '/attributes/arguments',
    '/attributes/args',
  ]);
  assert.deepEqual(overlaps({ key: 'x', value: '1' }, { key: 'x', value: '2' }, { key: 'x', encrypted_value: 'v1:a' }), [
    '/value',
    '/encrypted_value',
  ]);
  const material = (type: string, branch: string) => ({ id: 'x', material: { type, attributes: { branch } } });
  assert.deepEqual(overlaps(material('git', 'a'), material('hg', 'a'), material('git', 'b')), ['/material/type', '/material/attributes']);
});

test('stages that both put into the same place have no order; variables need none', () => {
  const stages = (...names: string[]) => ({ stages: names.map((name) => ({ name })) });
  assert.deepEqual(overlaps(stages('a', 'b'), stages('a', 'x', 'b'), stages('a', 'y', 'b')), ['/stages']);
  assert.deepEqual(merged(stages('a', 'b'), stages('x', 'a', 'b'), stages('a', 'b', 'y')), stages('x', 'a', 'b', 'y'));
  assert.deepEqual(merged(stages('a', 'b', 'c'), stages('c', 'a', 'b'), stages('a', 'b', 'y', 'c')), stages('c', 'a', 'b', 'y'));
  assert.deepEqual(overlaps(stages('a', 'b', 'c'), stages('c', 'a', 'b'), stages('b', 'a', 'c')), ['/stages']);
  const variables = (...names: string[]) => ({ environment_variables: names.map((name) => variable(name, '1')) });
  assert.deepEqual(merged(variables('A'), variables('A', 'Z'), variables('A', 'B')), variables('A', 'B', 'Z'));
});

test('the only material of its type is the same one, even with another target', () => {
  const git = (url: string) => ({ materials: [{ type: 'git', attributes: { url, branch: 'main', name: null } }] });
  assert.deepEqual(overlaps(git('x'), git('y'), git('z')), ['/materials/0/attributes/url']);
});

function variable(name: string, value: string): JsonObject {
  return { secure: false, name, value };
}

function secret(name: string, cipher: string): JsonObject {
  return { secure: true, name, encrypted_value: `v1:${cipher}` };
}

// biome-ignore lint/suspicious/noExplicitAny: edits reach deep into states
type State = any;

function pipeline(): JsonObject {
  const job = (name: string) => ({ name, timeout: null, environment_variables: [variable('J', '1')], resources: ['linux'], tasks: [] });
  return {
    label_template: 'x',
    timer: null,
    environment_variables: [variable('A', '1'), variable('B', '1'), secret('K', 'a')],
    materials: [{ type: 'git', attributes: { url: 'x', branch: 'main', name: null, auto_update: true } }],
    stages: [
      { name: 'build', approval: { type: 'success', authorization: { users: ['jez'] } }, jobs: [job('one'), job('two')] },
      { name: 'test', approval: { type: 'success', authorization: { users: [] } }, jobs: [job('three')] },
    ],
  };
}

/** Edits that touch a field each; `to` makes two of the same kind differ. */
const EDITS: Readonly<Record<string, (state: State, to?: string) => JsonObject>> = {
  label: (state, to = 'y') => ({ ...state, label_template: to }),
  timer: (state, to = 'y') => ({ ...state, timer: { spec: to } }),
  variable: (state, to = 'y') => edited(state, () => void (state.environment_variables.find(named('A')).value = to)),
  secret: (state, to = 'y') => edited(state, () => void (state.environment_variables.find(named('K')).encrypted_value = `v1:${to}`)),
  newVariable: (state, to = 'y') => edited(state, () => void state.environment_variables.push(variable('N', to))),
  anotherNewVariable: (state, to = 'y') => edited(state, () => void state.environment_variables.unshift(variable('M', to))),
  removedVariable: (state) => ({ ...state, environment_variables: state.environment_variables.filter((one: Json) => !named('B')(one)) }),
  branch: (state, to = 'y') => edited(state, () => void (state.materials[0].attributes.auto_update = to)),
  approval: (state, to = 'manual') => edited(state, () => void (state.stages.find(named('build')).approval.type = to)),
  timeout: (state, to = 'y') => edited(state, () => void (state.stages.find(named('build')).jobs.find(named('one')).timeout = to)),
  jobVariable: (state, to = 'y') =>
    edited(state, () => void (state.stages.find(named('build')).jobs.find(named('one')).environment_variables[0].value = to)),
  newJob: (state, to = 'y') => edited(state, () => void state.stages.find(named('test')).jobs.push({ name: 'new', timeout: to })),
  newStage: (state, to = 'y') => edited(state, () => void state.stages.push({ name: 'deploy', jobs: [{ name: to }] })),
  tasks: (state, to = 'y') =>
    edited(
      state,
      () =>
        void state.stages
          .find(named('test'))
          .jobs.find(named('three'))
          .tasks.push({ type: 'exec', attributes: { command: to } }),
    ),
  user: (state) => edited(state, () => void state.stages.find(named('test')).approval.authorization.users.push('tom')),
};

function edited(state: JsonObject, edit: () => void): JsonObject {
  edit();
  return state;
}

function named(name: string): (item: State) => boolean {
  return (item) => item.name === name;
}

/** Lists whose order means nothing in one order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, held]) => [name, sorted(held)]));
}

test('merging long lists does not take long', async () => {
  await assertLinear(
    'one has another order, and has removed many',
    (size) => {
      const variables = Array.from({ length: size }, (_, number) => ({ name: `v${number}`, value: '' }));
      const [first, second, ...rest] = variables.filter((_, index) => index % 2 === 0);
      const mine = { environment_variables: [second!, first!, ...rest] };
      const theirs = { environment_variables: [...variables, { name: 'more', value: '' }] };
      assert.equal((merged({ environment_variables: variables }, mine, theirs).environment_variables as unknown[]).length, size / 2 + 1);
    },
    40_000,
  );
});

test('long lists are merged in as many steps as they have members', () => {
  const state = (first: string, last: string) => {
    const value = (index: number) => (index === 0 ? first : index === 999 ? last : '');
    return { environment_variables: Array.from({ length: 1000 }, (_, index) => variable(`V${index}`, value(index))) };
  };
  const steps = threeWaySteps(state('1', '1'), state('2', '1'), state('1', '2'));
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  assert.deepEqual(step.value, { merged: state('2', '2') });
  assert.ok(count >= 1000, `${count} steps`);
});
