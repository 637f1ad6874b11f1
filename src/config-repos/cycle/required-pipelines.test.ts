// Tests which pipelines are found to be required.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Body } from '../../contracts/plugins/config-repo.ts';
import { requiredPipelines } from './required-pipelines.ts';

test('upstream pipelines and members of environments are required', () => {
  const materials: readonly Body[] = [{ type: 'dependency', attributes: { pipeline: 'B' } }, { type: 'git' }];
  const pipelines = [{ name: 'a', body: { materials } }];
  const environments = [{ body: { pipelines: [{ name: 'C' }] } }];
  assert.deepEqual([...requiredPipelines({ pipelines, environments })], ['b', 'c']);
});
