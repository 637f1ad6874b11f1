// Every row of the table of triggers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideTrigger, type MaterialFacts, type TriggerKind } from './decide-trigger.ts';

const material = (more: Partial<MaterialFacts> = {}): MaterialFacts => ({
  fingerprint: 'a',
  latest: 2,
  previous: 1,
  isIgnored: false,
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
  ['never run before', [material({ previous: undefined, newestEver: undefined })], undefined, 'runs', 'runs', 'runs', 'runs'],
  ['another set of materials', [material({ latest: 1, hasRunWithLatest: true }), material(B)], ['a'], 'runs', 'runs', 'runs', 'runs'],
  ['a material less', [SAME], ['a', 'b'], 'runs', 'runs', 'runs', 'runs'],
  ['something new', [material()], ['a'], 'runs', 'runs', 'runs', 'runs'],
  ['nothing new', [SAME], ['a'], 'already_run', 'runs', 'runs', 'already_run'],
  [
    'back to what was run before',
    [material({ latest: 3, previous: 5, newestEver: 5, hasRunWithLatest: true })],
    ['a'],
    'already_run',
    'runs',
    'runs',
    'runs',
  ],
  ['all that is new is ignored', [material({ isIgnored: true })], ['a'], 'ignored', 'runs', 'runs', 'ignored'],
  ['one is ignored, one counts', [material({ isIgnored: true }), material(B)], ['a', 'b'], 'runs', 'runs', 'runs', 'runs'],
  ['only an upstream that does not set off', [material({ isIgnoredForScheduling: true })], ['a'], 'ignored', 'runs', 'runs', 'runs'],
  [
    'such an upstream beside a change',
    [material({ isIgnoredForScheduling: true }), material(B)],
    ['a', 'b'],
    'runs',
    'runs',
    'runs',
    'runs',
  ],
];

for (const [what, materials, before, auto, manual, timer, timerOnChanges] of ROWS) {
  test(what, () => {
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
