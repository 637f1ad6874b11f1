import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type AssignableAgent, type AssignableJob, mayTake } from './assign.ts';
import { type WaitingFacts, whyJob } from './why-job.ts';

const JOB: AssignableJob = { environment: null, resources: [], pinnedTo: null, elastic: null };
const AGENT: AssignableAgent = { uuid: 'u1', state: 'Enabled', environments: [], resources: [], elasticPlugin: null };
const elastic = (plugin: string | null) => ({ profile: 'small', plugin });

describe('a job goes to an agent', () => {
  const TABLE: readonly (readonly [string, Partial<AssignableJob>, Partial<AssignableAgent>])[] = [
    ['without any conditions', {}, {}],
    ['without resources, whatever its own', {}, { resources: ['linux'] }],
    ['with resources, whatever the letter case', { resources: ['Linux', 'jdk'] }, { resources: ['JDK', 'linux', 'x'] }],
    ['of the same environment, whatever the letter case', { environment: 'Prod' }, { environments: ['test', 'prod'] }],
    ['that is pinned to it', { pinnedTo: 'u1' }, {}],
    ['for elastic agents of its plugin', { elastic: elastic('docker') }, { elasticPlugin: 'docker' }],
    ['for elastic agents that it was made for', { id: 7, elastic: elastic('docker') }, { elasticPlugin: 'docker', createdForJob: 7 }],
    ['for elastic agents, whatever its resources', { elastic: elastic('docker'), resources: ['linux'] }, { elasticPlugin: 'docker' }],
  ];
  for (const [name, job, agent] of TABLE)
    test(`an agent may take a job ${name}`, () => {
      assert.equal(mayTake({ ...JOB, ...job }, { ...AGENT, ...agent }), true);
    });
});

describe('a job does not go to an agent', () => {
  const TABLE: readonly (readonly [string, string, Partial<AssignableJob>, Partial<AssignableAgent>])[] = [
    ['disabled', 'The agent is disabled.', {}, { state: 'Disabled' }],
    ['disabled', 'The agent waits to be enabled.', {}, { state: 'Pending' }],
    ['pinned', "The job is for the agent 'u2' only.", { pinnedTo: 'u2' }, {}],
    ['environment', "The pipeline is in the environment 'prod', the agent in none.", { environment: 'prod' }, {}],
    ['environment', "The pipeline is in no environment, the agent in 'prod', 'test'.", {}, { environments: ['prod', 'test'] }],
    ['environment', "The pipeline is in the environment 'prod', the agent in 'test'.", { environment: 'prod' }, { environments: ['test'] }],
    ['resources', "The agent does not have 'jdk', 'gpu'.", { resources: ['jdk', 'linux', 'gpu'] }, { resources: ['LINUX'] }],
    ['elastic', 'The agent is elastic, and the job has no elastic profile.', {}, { elasticPlugin: 'docker' }],
    ['elastic', "The job needs an elastic agent of the profile 'small'.", { elastic: elastic('docker') }, {}],
    [
      'elastic',
      'The agent was made for another job.',
      { id: 8, elastic: elastic('docker') },
      { elasticPlugin: 'docker', createdForJob: 7 },
    ],
    ['elastic', 'The agent was made for another job.', { elastic: elastic('docker') }, { elasticPlugin: 'docker', createdForJob: 7 }],
    ['elastic', "The elastic profile 'small' belongs to no plugin.", { elastic: elastic(null) }, { elasticPlugin: 'docker' }],
    [
      'elastic',
      "The job needs an elastic agent of the plugin 'docker', the agent is one of 'k8s'.",
      { elastic: elastic('docker') },
      { elasticPlugin: 'k8s' },
    ],
  ];
  for (const [rule, message, job, agent] of TABLE)
    test(`an agent may not take a job: ${message}`, () => {
      assert.deepEqual(mayTake({ ...JOB, ...job }, { ...AGENT, ...agent }), { rule, message });
    });
});

const name = fc.constantFrom('a', 'A', 'b', 'c');
const jobs = fc.record<AssignableJob>({
  environment: fc.option(name),
  resources: fc.array(name, { maxLength: 3 }),
  pinnedTo: fc.option(fc.constantFrom('u1', 'u2')),
  elastic: fc.option(fc.record({ profile: name, plugin: fc.option(fc.constantFrom('docker', 'k8s')) })),
});
const agents = fc.record<AssignableAgent>({
  uuid: fc.constantFrom('u1', 'u2'),
  state: fc.constantFrom('Enabled', 'Enabled', 'Disabled', 'Pending'),
  environments: fc.array(name, { maxLength: 2 }),
  resources: fc.array(name, { maxLength: 3 }),
  elasticPlugin: fc.option(fc.constantFrom('docker', 'k8s')),
});

/** The rule as it is written down, in one sentence for each. */
function fits(job: AssignableJob, agent: AssignableAgent): boolean {
  const has = (list: readonly string[], one: string) => list.some((other) => other.toUpperCase() === one.toUpperCase());
  const sameEnvironment = job.environment === null ? agent.environments.length === 0 : has(agent.environments, job.environment);
  const pinned = !job.pinnedTo || job.pinnedTo === agent.uuid;
  const plain = !job.elastic && !agent.elasticPlugin && job.resources.every((resource) => has(agent.resources, resource));
  const ofPlugin = job.elastic !== null && job.elastic.plugin !== null && job.elastic.plugin === agent.elasticPlugin;
  return agent.state === 'Enabled' && sameEnvironment && pinned && (plain || ofPlugin);
}

test('the decision follows the rules, for any job and agent', () => {
  fc.assert(fc.property(jobs, agents, (job, agent) => assert.equal(mayTake(job, agent) === true, fits(job, agent))));
});

const JDK_JOB: AssignableJob = { ...JOB, resources: ['jdk'] };
const JDK_AGENT: AssignableAgent = { ...AGENT, resources: ['jdk'] };
const FACTS: WaitingFacts = { agents: [JDK_AGENT], hasContact: () => true, isBusy: () => false, isInMaintenance: false, isDiskFull: false };

function why(facts: Partial<WaitingFacts>, job: AssignableJob | undefined = JDK_JOB) {
  const { willRun, reasons, agents } = whyJob({ state: 'Scheduled', result: 'Unknown', assignable: job }, { ...FACTS, ...facts });
  return { willRun, reasons: reasons.map(({ rule }) => rule), agents: agents.map(({ rule }) => rule) };
}

describe('a job that waits', () => {
  test('is taken by an agent that may, is there and has no other job', () => {
    assert.deepEqual(why({}), { willRun: true, reasons: [], agents: [undefined] });
  });

  test('is not taken by an agent without contact', () => {
    assert.deepEqual(why({ hasContact: () => false }), { willRun: false, reasons: ['no_agent', 'no_contact'], agents: ['no_contact'] });
  });

  test('waits because all agents are busy, when the only other agent has no contact', () => {
    const agents = [JDK_AGENT, { ...JDK_AGENT, uuid: 'u2' }];
    const found = why({ agents, hasContact: (uuid) => uuid === 'u2', isBusy: (uuid) => uuid === 'u2' });
    assert.deepEqual(found, { willRun: false, reasons: ['busy'], agents: ['no_contact', 'busy'] });
  });

  test('learns first that an agent does not fit, then that it has no contact', () => {
    const agents = [{ ...JDK_AGENT, resources: [] }];
    assert.deepEqual(why({ agents, hasContact: () => false }).agents, ['resources']);
  });

  test('waits while the queue gives out nothing, even with a free agent', () => {
    assert.deepEqual(why({ isInMaintenance: true }), { willRun: false, reasons: ['maintenance'], agents: [undefined] });
    assert.deepEqual(why({ isDiskFull: true }), { willRun: false, reasons: ['disk_full'], agents: [undefined] });
    assert.deepEqual(why({ isDiskFull: true, agents: [] }).reasons, ['disk_full', 'no_agent']);
  });
});

test('a job that is gone from the configuration will be cancelled', () => {
  const { willRun, reasons } = whyJob({ state: 'Scheduled', result: 'Unknown', assignable: undefined }, FACTS);
  assert.deepEqual([willRun, reasons.map(({ rule }) => rule)], [false, ['not_configured']]);
});

test('a job that an agent has, runs', () => {
  assert.deepEqual(whyJob({ state: 'Building', result: 'Unknown', assignable: JDK_JOB }, FACTS), {
    willRun: true,
    reasons: [],
    agents: [],
  });
});
