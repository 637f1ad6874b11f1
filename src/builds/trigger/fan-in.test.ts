import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type CandidatesWanted,
  FAN_IN_BATCH,
  FAN_IN_LIMIT,
  type FanInDecision,
  type FanInDependency,
  type FanInPipeline,
  fanIn,
  type UpstreamRun,
} from './fan-in.ts';

/** Runs of upstream pipelines, newest first. */
type Histories = Readonly<Record<string, readonly UpstreamRun[]>>;

/** A run from revisions of roots, such as `{ a: 3 }`: modification 3, made in second 3. Two numbers: from two revisions of it. */
function run(counter: number, roots: Readonly<Record<string, number | readonly number[]>>, isPassed = true, name = 'up'): UpstreamRun {
  const revisions = Object.entries(roots).map(
    ([root, made]) => [root, [made].flat().map((modification) => ({ modification, time: modification * 1000 }))] as const,
  );
  const passed = isPassed ? { modification: 1000 + counter, locator: `${name}/${counter}/s/1` } : null;
  return { run: counter, counter, passed, roots: new Map(revisions) };
}

const dependency = (pipeline: string, ...roots: readonly string[]): FanInDependency => ({
  fingerprint: `fp-${pipeline}`,
  pipeline,
  stage: 's',
  roots: new Set(roots),
});
const root = (fingerprint: string, modification: number | null) => ({
  fingerprint,
  latest: modification === null ? null : { modification, time: modification * 1000 },
});

function decide(of: Omit<FanInPipeline, 'pipeline'>, histories: Histories, asked: CandidatesWanted[] = []): Promise<FanInDecision> {
  return fanIn({ pipeline: 'deploy', ...of }, (wanted, from) => {
    asked.push({ dependency: wanted, from });
    return histories[wanted.pipeline]!.slice(from, from + FAN_IN_BATCH);
  });
}

const countersOf = (decision: FanInDecision) =>
  decision.isCompatible ? decision.revisions.flatMap((revision) => revision.run?.counter ?? []) : decision.reason;
const rootsOf = (decision: FanInDecision) =>
  decision.isCompatible &&
  Object.fromEntries(decision.revisions.filter((one) => !one.run).map((one) => [one.fingerprint, one.modification]));

describe('fan-in', () => {
  const diamond = { dependencies: [dependency('x', 'a'), dependency('y', 'a')], roots: [] };

  test('the newest runs, where they agree', async () => {
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

  test('one that is ahead goes back, and it is told what the newest disagree on', async () => {
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

  test('a run in which the stage did not pass, or of two revisions of one root, is skipped', async () => {
    const x = [run(4, { a: 5 }, false), run(3, { a: [5, 4] }), run(2, { a: [4, 4] })];
    assert.deepEqual(countersOf(await decide(diamond, { x, y: [run(1, { a: 4 })] })), [2, 1]);
  });

  test('roots of its own: as the upstreams have them, the newest where none has it', async () => {
    const of = { dependencies: [dependency('x', 'a')], roots: [root('a', 9), root('b', 8)] };
    assert.deepEqual(rootsOf(await decide(of, { x: [run(1, { a: 5 })] })), { a: 5, b: 8 });
  });

  test('the oldest is the one with the oldest date, whenever it was found', async () => {
    const late = { ...run(1, {}), roots: new Map([['a', [{ modification: 90, time: 1 }]]]) };
    const early = { ...run(2, {}), roots: new Map([['a', [{ modification: 10, time: 5 }]]]) };
    const decision = await decide(diamond, { x: [early, late], y: [late] });
    assert.deepEqual(countersOf(decision), [1, 1]);
  });

  test('of the same moment, the one that was found first is the older', async () => {
    const at = (counter: number, modification: number) => ({ ...run(counter, {}), roots: new Map([['a', [{ modification, time: 5 }]]]) });
    assert.deepEqual(countersOf(await decide(diamond, { x: [at(2, 11), at(1, 10)], y: [at(7, 10)] })), [1, 7]);
  });

  test('without dependencies it is the latest of all', async () => {
    assert.deepEqual(rootsOf(await decide({ dependencies: [], roots: [root('a', 3)] }, {})), { a: 3 });
  });

  test('an answer may take its time', async () => {
    const decision = await fanIn({ pipeline: 'deploy', ...diamond }, async ({ pipeline }, from) =>
      from > 0 ? [] : [run(pipeline === 'x' ? 1 : 2, { a: 1 })],
    );
    assert.deepEqual(countersOf(decision), [1, 2]);
  });

  test('no more runs are asked for than are needed, in fives', async () => {
    const asked: CandidatesWanted[] = [];
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

  test('a root of its own without a modification', async () => {
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

  test('no older run that agrees: who disagrees on what', async () => {
    const decision = await decide(diamond, { x: [run(3, { a: 9 }, true, 'x'), run(2, { a: 7 }, true, 'x')], y });
    const runs = [
      { pipeline: 'x', locator: 'x/3/s/1', modification: 9 },
      { pipeline: 'y', locator: 'y/1/s/1', modification: 4 },
    ];
    assert.deepEqual(countersOf(decision), { rule: 'disagreement', pipeline: 'x', disagreement: { root: 'a', runs } });
  });

  const many = (count: number) => Array.from({ length: count }, (_, index) => run(1000 - index, { a: 1000 - index }));
  test('only a hundred runs are looked at', async () => {
    const limit = { rule: 'limit', pipeline: 'x', limit: FAN_IN_LIMIT };
    const lastFitting = [run(1, { a: 1000 - FAN_IN_LIMIT + 1 })];
    const tooOld = [run(1, { a: 1000 - FAN_IN_LIMIT })];
    assert.deepEqual(countersOf(await decide(diamond, { x: many(200), y: lastFitting })), [901, 1]);
    assert.deepEqual(countersOf(await decide(diamond, { x: many(200), y: tooOld })), limit);
    assert.deepEqual(countersOf(await decide(diamond, { x: many(200).map((one) => ({ ...one, passed: null })), y })), limit);
  });

  test('where there are just a hundred, it is not the limit that is in the way', async () => {
    const decision = await decide(diamond, { x: many(FAN_IN_LIMIT), y });
    assert.ok(!decision.isCompatible);
    assert.equal(decision.reason.rule, 'disagreement');
  });

  test('more than were asked for do not lift the limit', async () => {
    const all: Histories = { x: many(200), y };
    const decision = await fanIn({ pipeline: 'deploy', ...diamond }, ({ pipeline }, from) => all[pipeline]!.slice(from));
    assert.deepEqual(countersOf(decision), { rule: 'limit', pipeline: 'x', limit: FAN_IN_LIMIT });
  });
});

const ROOTS = ['a', 'b', 'c'];

/** Upstream pipelines with a few runs each, newest first. Where `isOrdered`, a later run never has an older revision. */
const graphs = (isOrdered: boolean) => {
  const upstream = fc.record({
    roots: fc.uniqueArray(fc.constantFrom(...ROOTS), { minLength: 1 }),
    runs: fc.array(
      fc.record({ revisions: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 3 }), passed: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 7,
      },
    ),
  });
  return fc.array(upstream, { minLength: 1, maxLength: 4 }).map((upstreams) =>
    upstreams.map(({ roots, runs }, index) => {
      const columns = roots.map((_, place) => {
        const column = runs.map(({ revisions }) => revisions[place]!);
        return isOrdered ? column.toSorted((one, other) => one - other) : column;
      });
      const history = runs.map(({ passed }, row) =>
        run(row + 1, Object.fromEntries(roots.map((name, place) => [name, columns[place]![row]!])), passed || row === 0),
      );
      return { dependency: dependency(`p${index}`, ...roots), history: history.toReversed() };
    }),
  );
};
type Graph = readonly { readonly dependency: FanInDependency; readonly history: readonly UpstreamRun[] }[];

function isConsistent(runs: readonly UpstreamRun[]): boolean {
  return ROOTS.every((name) => new Set(runs.flatMap(({ roots }) => (roots.get(name) ?? []).map((one) => one.modification))).size <= 1);
}

/** All choices of one passed run for each upstream that are consistent. */
function allConsistent(graph: Graph): UpstreamRun[][] {
  let choices: UpstreamRun[][] = [[]];
  for (const { history } of graph)
    choices = choices.flatMap((choice) => history.filter(({ passed }) => passed).map((one) => [...choice, one]));
  return choices.filter(isConsistent);
}

const decideGraph = (graph: Graph) =>
  decide(
    { dependencies: graph.map((one) => one.dependency), roots: ROOTS.map((name) => root(name, 99)) },
    Object.fromEntries(graph.map((one) => [one.dependency.pipeline, one.history])),
  );

describe('fan-in against a search through all choices', () => {
  test('what is chosen is consistent, also with the roots, whatever the order of revisions', async () => {
    await fc.assert(
      fc.asyncProperty(graphs(false), async (graph) => {
        const decision = await decideGraph(graph);
        if (!decision.isCompatible) return;
        const runs = decision.revisions.flatMap((revision) => revision.run ?? []);
        assert.equal(runs.length, graph.length);
        assert.ok(isConsistent(runs));
        assert.ok(runs.every(({ passed }) => passed));
        for (const name of ROOTS) {
          const used = runs.flatMap(({ roots }) => roots.get(name) ?? [])[0]?.modification;
          assert.equal(rootsOf(decision)[name as keyof object], used ?? 99);
        }
      }),
    );
  });

  test('it is found when there is one, and no upstream is older than in any other', async () => {
    let compatible = 0;
    await fc.assert(
      fc.asyncProperty(graphs(true), async (graph) => {
        const decision = await decideGraph(graph);
        const all = allConsistent(graph);
        assert.equal(decision.isCompatible, all.length > 0);
        if (!decision.isCompatible) return;
        compatible += 1;
        const newest = graph.map((_, index) => Math.max(...all.map((choice) => choice[index]!.counter)));
        assert.deepEqual(countersOf(decision), newest);
      }),
      { numRuns: 500 },
    );
    assert.ok(compatible > 50);
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
