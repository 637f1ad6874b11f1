// Tests which pipelines are found to be needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Definitions, neededBy } from './needs.ts';

test('upstream pipelines and members of environments are needed', () => {
  const pipelines = [{ name: 'a', body: { materials: [{ type: 'dependency', attributes: { pipeline: 'B' } }, { type: 'git' }] } }];
  const environments = [{ body: { pipelines: [{ name: 'C' }] } }];
  assert.deepEqual([...neededBy({ pipelines, environments } as unknown as Definitions)], ['b', 'c']);
});
