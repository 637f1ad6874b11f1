// Tests that a job has one form for one meaning.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonOut } from '../../shape/json/json.ts';
import { STORED } from '../../shape/secrets/secret-writer.ts';
import { type Job, jobs } from './jobs.ts';

test('a timeout of 0 that was stored before it meant never is shown as never', () => {
  const stored: Job = {
    name: 'j',
    runInstanceCount: null,
    timeout: 0,
    elasticProfileId: null,
    environmentVariables: [],
    resources: [],
    tasks: [],
    tabs: [],
    artifacts: [],
  };
  const timeoutOf = (timeout: Job['timeout']) => {
    const out: JsonOut = {};
    jobs.write([{ ...stored, timeout }], 'jobs', out, { base: undefined, secrets: STORED }, {});
    return (out.jobs as { timeout: unknown }[])[0]?.timeout;
  };
  assert.deepEqual([0, 'never', 5, null].map(timeoutOf), ['never', 'never', 5, null]);
});
