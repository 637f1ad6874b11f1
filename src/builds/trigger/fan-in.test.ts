import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countersOf, decide, dependency, type Histories, root, rootsOf, run } from '../../../test/support/builds/fan-in.ts';
import { type CandidateRequest, FAN_IN_BATCH, FAN_IN_LIMIT, fanIn } from './fan-in.ts';

describe('fan-in', () => {
  const diamond = { dependencies: [dependency('x', 'a'), dependency('y', 'a')], roots: [] };

  test('chooses the newest runs if they agree', async () => {
    const decision = await decide(diamond, { x: [run(2, { a: 5 }), run(1, { a: 4 })], y: [run(7, { a: 5 })] });
    assert.deepEqual(countersOf(decision), [2, 7]);
    assert.ok(decision.isCompatible);
    assert.equal(decision.disagreement, null);
    assert.deepEqual(
      decision.revisions.map(({ fingerprint, modification }) => [fingerprint, modification]),
      [
        ['fp-x', 1002],
        ['fp-y', 1007],
      ],
    );
  });

  test('an upstream that is ahead goes back, and the decision names the root on which the newest runs disagree', async () => {
    const decision = await decide(diamond, {
      x: [run(3, { a: 9 }, true, 'x'), run(2, { a: 7 }, true, 'x'), run(1, { a: 4 }, true, 'x')],
      y: [run(7, { a: 4 }, true, 'y')],
    });
    assert.deepEqual(countersOf(decision), [1, 7]);
    assert.ok(decision.isCompatible);
    assert.deepEqual(decision.disagreement, {
      root: 'a',
      runs: [
        { pipeline: 'x', locator: 'x/3/s/1', modification: 9 },
        { pipeline: 'y', locator: 'y/7/s/1', modification: 4 },
      ],
    });
  });

  test('going back for one root can mean going back for another', async () => {
    const of = { dependencies: [dependency('x', 'a', 'b'), dependency('y', 'a'), dependency('z', 'b')], roots: [] };
    const decision = await decide(of, {
      x: [run(2, { a: 5, b: 5 }), run(1, { a: 3, b: 2 })],
      y: [run(4, { a: 3 })],
      z: [run(9, { b: 5 }), run(8, { b: 2 })],
    });
    assert.deepEqual(countersOf(decision), [1, 4, 8]);
  });

  test('skips a run whose stage did not pass, or that has two revisions of one root', async () => {
    const x = [run(4, { a: 5 }, false), run(3, { a: [5, 4] }), run(2, { a: [4, 4] })];
    assert.deepEqual(countersOf(await decide(diamond, { x, y: [run(1, { a: 4 })] })), [2, 1]);
  });

  test('takes own roots as the upstreams have them, or the newest if no upstream has them', async () => {
    const of = { dependencies: [dependency('x', 'a')], roots: [root('a', 9), root('b', 8)] };
    assert.deepEqual(rootsOf(await decide(of, { x: [run(1, { a: 5 })] })), { a: 5, b: 8 });
  });

  test('takes the modification with the oldest date for the oldest, whenever it was found', async () => {
    const late = { ...run(1, {}), roots: new Map([['a', [{ modification: 90, time: 1 }]]]) };
    const early = { ...run(2, {}), roots: new Map([['a', [{ modification: 10, time: 5 }]]]) };
    const decision = await decide(diamond, { x: [early, late], y: [late] });
    assert.deepEqual(countersOf(decision), [1, 1]);
  });

  test('takes the one found first for the older of two modifications of one moment', async () => {
    const at = (counter: number, modification: number) => ({ ...run(counter, {}), roots: new Map([['a', [{ modification, time: 5 }]]]) });
    assert.deepEqual(countersOf(await decide(diamond, { x: [at(2, 11), at(1, 10)], y: [at(7, 10)] })), [1, 7]);
  });

  test('fan-in without dependencies takes the latest modifications', async () => {
    assert.deepEqual(rootsOf(await decide({ dependencies: [], roots: [root('a', 3)] }, {})), { a: 3 });
  });

  test('waits for candidates that are read asynchronously', async () => {
    const decision = await fanIn({ pipeline: 'deploy', ...diamond }, async ({ pipeline }, from) =>
      from > 0 ? [] : [run(pipeline === 'x' ? 1 : 2, { a: 1 })],
    );
    assert.deepEqual(countersOf(decision), [1, 2]);
  });

  test('asks for no more runs than it needs, five at a time', async () => {
    const asked: CandidateRequest[] = [];
    const x = Array.from({ length: 40 }, (_, index) => run(40 - index, { a: 40 - index }));
    assert.deepEqual(countersOf(await decide(diamond, { x, y: [run(1, { a: 33 })] }, asked)), [33, 1]);
    assert.deepEqual(
      asked.map(({ dependency: { pipeline }, from }) => [pipeline, from]),
      [
        ['x', 0],
        ['y', 0],
        ['x', 5],
      ],
    );
  });
});

describe('no compatible revisions', () => {
  const diamond = { dependencies: [dependency('x', 'a'), dependency('y', 'a')], roots: [] };
  const y = [run(1, { a: 4 }, true, 'y')];

  test('the message names the pipeline', async () => {
    const decision = await decide(diamond, { x: [], y });
    assert.ok(!decision.isCompatible);
    assert.equal(decision.message, 'Error while scheduling pipeline: deploy as no compatible revisions were identified.');
  });

  test('an own root without a modification', async () => {
    const decision = await decide({ ...diamond, roots: [root('a', 1), root('b', null)] }, { x: [run(1, { a: 1 })], y });
    assert.deepEqual(countersOf(decision), { rule: 'no_modifications', fingerprint: 'b' });
  });

  const unusable = (why: string) => ({ rule: 'none_usable', pipeline: 'x', stage: 's', why });
  for (const [why, x] of [
    ['no_runs', []],
    ['not_passed', [run(2, { a: 5 }, false), run(1, { a: 4 }, false)]],
    ['inconsistent', [run(2, { a: 5 }, false), run(1, { a: [4, 3] })]],
    // The older one would fit, but was made by a configuration before the last.
    ['other_materials', [run(2, { a: 5, b: 1 }), run(1, { a: 4 })]],
    ['other_materials', [run(2, { b: 1 }), run(1, { a: 4 })]],
    ['other_materials', [run(9, { b: 1 }), ...[8, 7, 6, 5, 4, 3].map((counter) => run(counter, { a: 4 }))]],
  ] as const)
    test(`no usable upstream run: ${why}`, async () => {
      assert.deepEqual(countersOf(await decide(diamond, { x, y })), unusable(why));
    });

  test('a run of other materials that did not pass stops nothing', async () => {
    assert.deepEqual(countersOf(await decide(diamond, { x: [run(2, { b: 1 }, false), run(1, { a: 4 })], y })), [1, 1]);
  });

  test('no older run that agrees: the answer names the runs that disagree, and the root', async () => {
    const decision = await decide(diamond, { x: [run(3, { a: 9 }, true, 'x'), run(2, { a: 7 }, true, 'x')], y });
    const runs = [
      { pipeline: 'x', locator: 'x/3/s/1', modification: 9 },
      { pipeline: 'y', locator: 'y/1/s/1', modification: 4 },
    ];
    assert.deepEqual(countersOf(decision), { rule: 'disagreement', pipeline: 'x', disagreement: { root: 'a', runs } });
  });

  const many = (count: number) => Array.from({ length: count }, (_, index) => run(1000 - index, { a: 1000 - index }));
  test('no run that agrees among the newest hundred: the answer names the limit', async () => {
    const limit = { rule: 'limit', pipeline: 'x', limit: FAN_IN_LIMIT };
    const lastFitting = [run(1, { a: 1000 - FAN_IN_LIMIT + 1 })];
    const tooOld = [run(1, { a: 1000 - FAN_IN_LIMIT })];
    assert.deepEqual(countersOf(await decide(diamond, { x: many(200), y: lastFitting })), [901, 1]);
    assert.deepEqual(countersOf(await decide(diamond, { x: many(200), y: tooOld })), limit);
    assert.deepEqual(countersOf(await decide(diamond, { x: many(200).map((one) => ({ ...one, passed: null })), y })), limit);
  });

  test('exactly a hundred runs that disagree: the answer does not name the limit', async () => {
    const decision = await decide(diamond, { x: many(FAN_IN_LIMIT), y });
    assert.ok(!decision.isCompatible);
    assert.equal(decision.reason.rule, 'disagreement');
  });

  test('more candidates than were asked for: the limit stays the same', async () => {
    const all: Histories = { x: many(200), y };
    const decision = await fanIn({ pipeline: 'deploy', ...diamond }, ({ pipeline }, from) => all[pipeline]!.slice(from));
    assert.deepEqual(countersOf(decision), { rule: 'limit', pipeline: 'x', limit: FAN_IN_LIMIT });
  });
});

test('each run is asked for once, though a hundred upstreams go back a hundred runs', async () => {
  const dependencies = Array.from({ length: 100 }, (_, index) => dependency(`p${index}`, 'a'));
  // Each has every hundredth revision only, so that they meet at the oldest.
  const histories = Object.fromEntries(
    dependencies.map(({ pipeline }, index) => [
      pipeline,
      Array.from({ length: 100 }, (_, back) => run(100 - back, { a: back === 99 ? 1 : (100 - back) * 100 + index })),
    ]),
  );
  let looked = 0;
  const decision = await fanIn({ pipeline: 'deploy', dependencies, roots: [] }, ({ pipeline }, from) => {
    looked += 1;
    return histories[pipeline]!.slice(from, from + FAN_IN_BATCH);
  });
  assert.deepEqual(new Set(countersOf(decision) as number[]), new Set([1]));
  assert.equal(looked, 100 * 20);
});
