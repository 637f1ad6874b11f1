// Every row of the table of triggers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decideTrigger, type MaterialFacts, type TriggerKind } from './decide-trigger.ts';

const material = (more: Partial<MaterialFacts> = {}): MaterialFacts => ({
  fingerprint: 'a',
  latest: 2,
  previous: 1,
  isIgnored: false,
  isUnseenIgnored: false,
  isIgnoredForScheduling: false,
  hasRunWithLatest: false,
  newestEver: 1,
  ...more,
});
const ask = (
  kind: TriggerKind,
  materials: readonly MaterialFacts[],
  previousMaterials: readonly string[] | undefined,
  onlyOnChanges = false,
) => {
  const decision = decideTrigger({ kind, onlyOnChanges, previousMaterials, materials });
  return decision.isToRun ? 'runs' : decision.rule;
};
const SAME = material({ latest: 1, hasRunWithLatest: true });
const B = { fingerprint: 'b' };

const ROWS: readonly [
  what: string,
  materials: readonly MaterialFacts[],
  before: readonly string[] | undefined,
  auto: string,
  manual: string,
  timer: string,
  timerOnChanges: string,
][] = [
  [
    'a material without any modification',
    [material(), material({ ...B, latest: undefined })],
    ['a', 'b'],
    'no_modifications',
    'no_modifications',
    'no_modifications',
    'no_modifications',
  ],
  ['a pipeline that has never run', [material({ previous: undefined, newestEver: undefined })], undefined, 'runs', 'runs', 'runs', 'runs'],
  ['another set of materials', [material({ latest: 1, hasRunWithLatest: true }), material(B)], ['a'], 'runs', 'runs', 'runs', 'runs'],
  ['one material less than before', [SAME], ['a', 'b'], 'runs', 'runs', 'runs', 'runs'],
  ['a new modification', [material()], ['a'], 'runs', 'runs', 'runs', 'runs'],
  ['unchanged materials', [SAME], ['a'], 'already_run', 'runs', 'runs', 'already_run'],
  [
    'a material that is back at what was run before',
    [material({ latest: 3, previous: 5, newestEver: 5, hasRunWithLatest: true })],
    ['a'],
    'already_run',
    'runs',
    'runs',
    'runs',
  ],
  ['new modifications that are all ignored', [material({ isIgnored: true })], ['a'], 'ignored', 'runs', 'runs', 'ignored'],
  [
    'one ignored modification and one that counts',
    [material({ isIgnored: true }), material(B)],
    ['a', 'b'],
    'runs',
    'runs',
    'runs',
    'runs',
  ],
  [
    'an upstream alone that is ignored for scheduling',
    [material({ isIgnoredForScheduling: true })],
    ['a'],
    'ignored',
    'runs',
    'runs',
    'runs',
  ],
  [
    'an upstream that is ignored for scheduling beside a change',
    [material({ isIgnoredForScheduling: true }), material(B)],
    ['a', 'b'],
    'runs',
    'runs',
    'runs',
    'runs',
  ],
  [
    'an upstream ignored for scheduling after a run with an older revision',
    [material({ isIgnoredForScheduling: true }), material({ ...B, newestEver: 2, hasRunWithLatest: true })],
    ['a', 'b'],
    'ignored',
    'runs',
    'runs',
    'runs',
  ],
  [
    'ignored files after a run with an older revision',
    [material({ latest: 3, newestEver: 2, isUnseenIgnored: true })],
    ['a'],
    'ignored',
    'runs',
    'runs',
    'runs',
  ],
  [
    'a modification that is older than the last run, and never ran',
    [material({ latest: 3, previous: 5, newestEver: 5 })],
    ['a'],
    'already_run',
    'runs',
    'runs',
    'runs',
  ],
];

for (const [what, materials, before, auto, manual, timer, timerOnChanges] of ROWS) {
  test(`the four kinds of triggers decide on ${what}`, () => {
    assert.deepEqual(
      [
        ask('auto', materials, before),
        ask('manual', materials, before),
        ask('timer', materials, before),
        ask('timer', materials, before, true),
      ],
      [auto, manual, timer, timerOnChanges],
    );
  });
}

test('a material has changed if it is newer than the newest revision that ever ran', () => {
  const materials = [
    material({ latest: 7, newestEver: 7 }),
    material({ ...B, latest: 9, newestEver: 8 }),
    material({ fingerprint: 'c', newestEver: undefined }),
  ];
  const decision = decideTrigger({ kind: 'manual', onlyOnChanges: false, previousMaterials: ['a', 'b', 'c'], materials });
  assert.deepEqual(decision.isToRun && decision.revisions.map(({ isChanged }) => isChanged), [false, true, true]);
});

describe('decisions on any facts', () => {
  const id = fc.integer({ min: 1, max: 4 });
  const facts = fc.record({
    latest: fc.option(id, { nil: undefined, freq: 9 }),
    previous: fc.option(id, { nil: undefined }),
    isIgnored: fc.boolean(),
    isUnseenIgnored: fc.boolean(),
    isIgnoredForScheduling: fc.boolean(),
    hasRunWithLatest: fc.boolean(),
    newestEver: fc.option(id, { nil: undefined }),
  });
  const materials = fc
    .array(facts, { minLength: 1, maxLength: 4 })
    .map((all) => all.map((one, index) => ({ fingerprint: 'abcd'[index]!, ...one })));
  const previousMaterials = fc.option(fc.subarray(['a', 'b', 'c', 'd']), { nil: undefined });

  test('a trigger with fewer conditions runs at least as often', () => {
    fc.assert(
      fc.property(materials, previousMaterials, (all, before) => {
        const answers = [ask('auto', all, before), ask('timer', all, before, true), ask('timer', all, before), ask('manual', all, before)];
        const runs = answers.map((answer) => answer === 'runs');
        assert.deepEqual(runs, runs.toSorted(), answers.join(', '));
        assert.equal(
          runs.at(-1),
          all.every(({ latest }) => latest !== undefined),
        );
      }),
    );
  });

  test('the order of the materials does not matter', () => {
    fc.assert(
      fc.property(
        materials,
        previousMaterials,
        fc.constantFrom('auto', 'timer', 'manual'),
        fc.boolean(),
        (all, before, kind, onlyOnChanges) => {
          assert.equal(ask(kind, all.toReversed(), before?.toReversed(), onlyOnChanges), ask(kind, all, before, onlyOnChanges));
        },
      ),
    );
  });

  test('a run takes the newest of every material', () => {
    fc.assert(
      fc.property(materials, previousMaterials, (all, before) => {
        const decision = decideTrigger({ kind: 'auto', onlyOnChanges: false, previousMaterials: before, materials: all });
        if (!decision.isToRun) return;
        assert.deepEqual(
          decision.revisions.map(({ fingerprint, modification }) => [fingerprint, modification]),
          all.map(({ fingerprint, latest }) => [fingerprint, latest]),
        );
      }),
    );
  });
});

test('over a history of commits, each that counts is run once, and none that does not count sets off a run', () => {
  const commit = fc.record({ material: fc.constantFrom('a', 'b', 'c'), isIgnored: fc.boolean() });
  fc.assert(
    fc.property(fc.array(commit, { maxLength: 30 }), fc.subarray(['a', 'b', 'c'], { minLength: 1 }), (commits, fingerprints) => {
      const history = new History(fingerprints);
      assert.equal(history.runIfDecided(), true, 'the first run');
      for (const { material: fingerprint, isIgnored } of commits.filter((one) => fingerprints.includes(one.material))) {
        history.add(fingerprint, isIgnored);
        assert.equal(history.runIfDecided(), !isIgnored);
        assert.equal(history.runIfDecided(), false, 'nothing is run twice');
      }
      assert.ok(history.isCaughtUp);
    }),
  );
});

/** A pipeline with its commits and its runs, as the server keeps them. */
class History {
  readonly #commits = new Map<string, { readonly id: number; readonly isIgnored: boolean }[]>();
  readonly #runs: Map<string, number>[] = [];
  #lastId = 0;

  constructor(fingerprints: readonly string[]) {
    for (const fingerprint of fingerprints) this.#commits.set(fingerprint, [{ id: ++this.#lastId, isIgnored: false }]);
  }

  add(fingerprint: string, isIgnored: boolean): void {
    this.#commits.get(fingerprint)!.push({ id: ++this.#lastId, isIgnored });
  }

  runIfDecided(): boolean {
    const previousMaterials = this.#runs.length === 0 ? undefined : [...this.#commits.keys()];
    const materials = Array.from(this.#commits.keys(), (fingerprint) => this.#factsOf(fingerprint));
    const decision = decideTrigger({ kind: 'auto', onlyOnChanges: false, previousMaterials, materials });
    if (decision.isToRun) this.#runs.push(new Map(decision.revisions.map((one) => [one.fingerprint, one.modification])));
    return decision.isToRun;
  }

  /** Whether the last run has every commit that counts. */
  get isCaughtUp(): boolean {
    const last = this.#runs.at(-1)!;
    return [...this.#commits].every(([fingerprint, all]) => all.every(({ id, isIgnored }) => isIgnored || id <= last.get(fingerprint)!));
  }

  #factsOf(fingerprint: string): MaterialFacts {
    const commits = this.#commits.get(fingerprint)!;
    const latest = commits.at(-1)!.id;
    const previous = this.#runs.at(-1)?.get(fingerprint);
    const built = this.#runs.map((run) => run.get(fingerprint)!);
    const newestEver = built.length === 0 ? undefined : Math.max(...built);
    const areIgnoredSince = (since = 0) => commits.filter(({ id }) => id > since).every((one) => one.isIgnored);
    return {
      fingerprint,
      latest,
      previous,
      isIgnored: areIgnoredSince(previous),
      isUnseenIgnored: areIgnoredSince(newestEver),
      isIgnoredForScheduling: false,
      hasRunWithLatest: built.includes(latest),
      newestEver,
    };
  }
}
