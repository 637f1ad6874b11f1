// The cost of single decisions beside the request they are part of: rights beside a GET, and the search for dependency cycles.
import { Access } from '../../src/access/may.ts';
import { Config } from '../../src/config/current.ts';
import { Draft } from '../../src/config/draft.ts';
import { registry } from '../../src/resources/index.ts';
import { dependencyProblems } from '../../src/resources/pipelines/rules/upstream.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import { type Entity, kindsOf } from '../../src/shape/resource.ts';
import type { Measurement } from '../support/measurement.ts';
import { median } from '../support/statistics.ts';

const PIPELINES = 10_000;
const DECISIONS = 200_000;
const LOOKS = 50;
/** Bare node:http takes about this long for a GET on the machine of the figures in the notes. */
const GET_MICROSECONDS = 14;
const MAX_SHARE = 0.05;
const MAX_CIRCLE_MS = 5;

export const decisions: Measurement = {
  name: 'decisions',
  what: 'one decision on rights / one look for circles in a chain of 10,000 pipelines',
  beside: `a GET of ${GET_MICROSECONDS} µs / –`,
  goal: `≤ ${MAX_SHARE * 100} % / ≤ ${MAX_CIRCLE_MS} ms`,
  run: async () => {
    const config = new Config(kindsOf(registry));
    const put = (kind: KindName, key: string, value: Entity) =>
      config.replace(config.kind(kind), key, { key, value, etag: '', revision: 1, created: 1 });
    put('systemAdmins', '', { users: ['admin'], roles: [] });
    const access = new Access(config);
    const identity = { loginName: 'admin', displayName: 'admin', tokenId: null, authConfigId: '' };
    const startedAt = performance.now();
    for (let turn = 0; turn < DECISIONS; turn++) if (!access.passes(identity, 'admin')) throw new Error('The administrator is refused.');
    const microseconds = ((performance.now() - startedAt) * 1000) / DECISIONS;

    for (let index = 0; index < PIPELINES; index++) put('pipelines', `p${index}`, pipeline(index));
    const { ruleView } = new Draft(config);
    // In the middle: it has ancestors to walk through, and others depend on it.
    const middle = pipeline(PIPELINES / 2);
    const times = Array.from({ length: LOOKS }, () => {
      const began = performance.now();
      if (dependencyProblems(middle as never, ruleView).length > 0) throw new Error('There is no cycle.');
      return performance.now() - began;
    });
    const share = microseconds / GET_MICROSECONDS;
    const circleMs = median(times);
    return {
      figure: `${(share * 100).toFixed(1)} % / ${circleMs.toFixed(2)} ms`,
      isMet: share <= MAX_SHARE && circleMs <= MAX_CIRCLE_MS,
      numbers: { microseconds, share, circleMs },
      notes: [`a decision takes ${(microseconds * 1000).toFixed(0)} ns`],
    };
  },
};

const STAGE = { name: 's', approval: { type: 'success', authorization: { users: [], roles: [] } }, jobs: [] };

function pipeline(index: number): Entity {
  const materials = index === 0 ? [] : [{ type: 'dependency', attributes: { pipeline: `p${index - 1}`, stage: 's', name: null } }];
  return { name: `p${index}`, group: 'g', origin: null, template: null, materials, stages: [STAGE], parameters: [] };
}
