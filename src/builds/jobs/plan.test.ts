import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AssignableAgent } from './assign.ts';
import { type ConfiguredJob, mergedVariables, type PlanFacts, type PlannedStage, planAgain, planJobs } from './plan.ts';

const SECRET = { cipherText: 'v1:00000000:abc', digest: 'd' };
const JOB: ConfiguredJob = {
  name: 'unit',
  runInstanceCount: null,
  timeout: null,
  elasticProfileId: null,
  environmentVariables: [],
  resources: [],
  tasks: [],
  tabs: [],
  artifacts: [],
};
const STAGE: PlannedStage = {
  name: 'test',
  fetchMaterials: true,
  cleanWorkingDirectory: false,
  neverCleanupArtifacts: false,
  approval: { type: 'success', allowOnlyOnSuccess: false, authorization: { users: [], roles: [] } },
  environmentVariables: [],
  jobs: [JOB],
};
const agent = (uuid: string, more: Partial<AssignableAgent> = {}): AssignableAgent => ({
  uuid,
  state: 'Enabled',
  environments: [],
  resources: [],
  elasticPlugin: null,
  ...more,
});
const FACTS: PlanFacts = {
  environment: null,
  pipelineVariables: [],
  serverTimeoutMinutes: 45,
  agents: [],
  pluginOfProfile: () => null,
};
const stageOf = (...jobs: readonly Partial<ConfiguredJob>[]) => ({ ...STAGE, jobs: jobs.map((job) => ({ ...JOB, ...job })) });
function planned(stage: PlannedStage, facts: Partial<PlanFacts> = {}) {
  const outcome = planJobs(stage, { ...FACTS, ...facts });
  assert.ok('plans' in outcome);
  return outcome.plans;
}

describe('plans of jobs', () => {
  test('hold all that an agent needs, as JSON', () => {
    const job: ConfiguredJob = {
      ...JOB,
      timeout: 7,
      elasticProfileId: 'small',
      resources: ['linux'],
      environmentVariables: [{ name: 'TOKEN', value: SECRET }],
      tasks: [
        {
          type: 'exec',
          attributes: { runIf: ['any'], onCancel: 'nothing', command: 'make', args: ['all'], workingDirectory: null, timeout: undefined },
        },
      ],
      artifacts: [{ type: 'build', attributes: { source: 'dist', destination: null } }],
    };
    const [plan] = planned({ ...STAGE, jobs: [job] });
    assert.deepEqual(plan, {
      name: 'unit',
      job: 'unit',
      instance: null,
      pinnedTo: null,
      resources: ['linux'],
      elasticProfileId: 'small',
      timeoutMinutes: 7,
      variables: [{ name: 'TOKEN', value: SECRET }],
      tasks: job.tasks,
      artifacts: job.artifacts,
    });
    const stored = JSON.parse(JSON.stringify(plan));
    assert.deepEqual(JSON.stringify(stored), JSON.stringify(plan));
    assert.deepEqual(stored.variables[0].value, SECRET);
  });

  test('hold every instance, in the order of the jobs', () => {
    const plans = planned(stageOf({ name: 'a', runInstanceCount: 2 }, { name: 'b' }, { name: 'c', runInstanceCount: '1' }));
    assert.deepEqual(
      plans.map(({ name, job, instance, pinnedTo }) => [name, job, instance, pinnedTo]),
      [
        ['a-runInstance-1', 'a', { index: 1, count: 2 }, null],
        ['a-runInstance-2', 'a', { index: 2, count: 2 }, null],
        ['b', 'b', null, null],
        ['c-runInstance-1', 'c', { index: 1, count: 1 }, null],
      ],
    );
  });

  test('hold an instance for each agent that fits, which runs on that agent alone', () => {
    const agents = [
      agent('u1', { resources: ['linux'], environments: ['prod'] }),
      agent('u2', { environments: ['prod'] }),
      agent('u3', { resources: ['linux'] }),
      agent('u4', { resources: ['linux'], environments: ['prod'], state: 'Disabled' }),
      agent('u5', { resources: ['LINUX'], environments: ['Prod'] }),
    ];
    const plans = planned(stageOf({ runInstanceCount: 'all', resources: ['linux'] }), { agents, environment: 'prod' });
    assert.deepEqual(
      plans.map(({ name, job, instance, pinnedTo }) => [name, job, instance, pinnedTo]),
      [
        ['unit-runOnAll-1', 'unit', null, 'u1'],
        ['unit-runOnAll-2', 'unit', null, 'u5'],
      ],
    );
  });

  test('plans with an elastic profile hold an instance for each elastic agent of its plugin', () => {
    const agents = [agent('u1'), agent('u2', { elasticPlugin: 'docker' }), agent('u3', { elasticPlugin: 'k8s' })];
    const pluginOfProfile = (profile: string) => (profile === 'small' ? 'k8s' : null);
    const plans = planned(stageOf({ runInstanceCount: 'all', elasticProfileId: 'small' }), { agents, pluginOfProfile });
    assert.deepEqual(
      plans.map(({ pinnedTo }) => pinnedTo),
      ['u3'],
    );
  });

  test('without an agent that fits there is no plan of the stage', () => {
    const stage = stageOf({ name: 'a' }, { name: 'b', runInstanceCount: 'all', resources: ['gpu'] });
    assert.deepEqual(planJobs(stage, { ...FACTS, agents: [agent('u1')] }), {
      refusal: 'Could not find matching agents to run job [b] of stage [test].',
    });
  });

  const TIMEOUTS: readonly (readonly [number | string | null, number])[] = [
    [null, 45],
    ['', 45],
    [5, 5],
    ['6', 6],
    ['never', 0],
    ['NEVER', 0],
    [0, 0],
  ];
  for (const [timeout, minutes] of TIMEOUTS)
    test(`a timeout of ${JSON.stringify(timeout)}`, () => {
      assert.equal(planned(stageOf({ timeout }))[0]?.timeoutMinutes, minutes);
    });

  test('variables of the job go before those of the stage, and those before the pipeline', () => {
    const stage = {
      ...stageOf({
        environmentVariables: [
          { name: 'C', value: 'job' },
          { name: 'D', value: 'job' },
        ],
      }),
      environmentVariables: [
        { name: 'B', value: SECRET },
        { name: 'C', value: 'stage' },
      ],
    };
    const pipelineVariables = ['A', 'B', 'C', 'a'].map((name) => ({ name, value: 'pipeline' }));
    assert.deepEqual(planned(stage, { pipelineVariables })[0]?.variables, [
      { name: 'A', value: 'pipeline' },
      { name: 'B', value: SECRET },
      { name: 'C', value: 'job' },
      { name: 'a', value: 'pipeline' },
      { name: 'D', value: 'job' },
    ]);
  });
});

describe('plans of jobs that are run again', () => {
  const again = (job: Partial<ConfiguredJob>, name: string, pinnedTo: string | null = null) =>
    planAgain({ name, pinnedTo }, stageOf(job), FACTS);

  test('follow the present configuration', () => {
    assert.deepEqual(again({ resources: ['new'] }, 'unit'), planned(stageOf({ resources: ['new'] }))[0]);
  });

  test('keep the number of the instance, and have the present count', () => {
    assert.deepEqual(again({ runInstanceCount: 5 }, 'unit-runInstance-3'), planned(stageOf({ runInstanceCount: 5 }))[2]);
  });

  test('stay on the same agent', () => {
    const plan = again({ runInstanceCount: 'all' }, 'unit-runOnAll-3', 'u7');
    assert.deepEqual([plan?.name, plan?.instance, plan?.pinnedTo], ['unit-runOnAll-3', null, 'u7']);
  });

  test('are missing for a job that is gone', () => {
    assert.equal(again({}, 'other'), undefined);
  });
});

test('merged variables: each name once, with the value of the last', () => {
  const lists = fc.array(fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'A'), value: fc.nat() })));
  fc.assert(
    fc.property(lists, (given) => {
      const merged = mergedVariables(...given);
      const all = given.flat();
      assert.deepEqual(
        merged.map(({ name }) => name),
        [...new Set(all.map(({ name }) => name))],
      );
      for (const one of merged)
        assert.equal(
          one,
          all.findLast(({ name }) => name === one.name),
        );
    }),
  );
});
