// Fan-in beside a search through all choices, in pipelines made by chance.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countersOf, decide, dependency, root, rootsOf, run } from '../../../test/support/builds/fan-in.ts';
import type { FanInDependency, UpstreamRun } from './fan-in.ts';

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
      const columns = roots.map((_, index) => {
        const column = runs.map(({ revisions }) => revisions[index]!);
        return isOrdered ? column.toSorted((one, other) => one - other) : column;
      });
      const history = runs.map(({ passed }, row) =>
        run(row + 1, Object.fromEntries(roots.map((name, index) => [name, columns[index]![row]!])), passed || row === 0),
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
  test('the chosen runs are consistent, also with the roots, for any order of revisions', async () => {
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

  test('a consistent choice is found if there is one, and no other has newer upstreams', async () => {
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
