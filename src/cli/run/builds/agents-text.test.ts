// Tests the table of agents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentAnswer, agentsText, spaceText } from './agents-text.ts';

const agent: AgentAnswer = {
  uuid: 'u-1',
  hostname: 'one',
  agent_config_state: 'Enabled',
  agent_state: 'Idle',
  build_state: 'Idle',
  free_space: 'unknown',
  environments: [],
  resources: [],
};

test('free space is shown in the largest fitting unit', () => {
  const given = ['unknown', 0, 1023, 1024, 1536 * 1024, 2 ** 40, 2 ** 50] as const;
  assert.deepEqual(given.map(spaceText), ['-', '0 B', '1023 B', '1.0 kB', '1.5 MB', '1.0 TB', '1024.0 TB']);
});

test('each column of the table is as wide as its content', () => {
  const building: AgentAnswer = {
    ...agent,
    uuid: 'u-2',
    hostname: 'a-long-name',
    agent_state: 'Building',
    build_state: 'Cancelled',
    environments: [{ name: 'prod' }, { name: 'test' }],
    resources: undefined,
    elastic_plugin_id: 'docker',
    build_details: { pipeline_name: 'p', stage_name: 's', job_name: 'j' },
  };
  assert.equal(
    agentsText([agent, building]),
    [
      'NAME         STATE       CONFIG   RESOURCES  ENVIRONMENTS  FREE  BUILDS  UUID',
      'one          Idle        Enabled  -          -             -     -       u-1',
      'a-long-name  Cancelling  Enabled  (docker)   prod,test     -     p/s/j   u-2',
      '',
    ].join('\n'),
  );
  assert.equal(agentsText([]), 'There are no agents.\n');
});
