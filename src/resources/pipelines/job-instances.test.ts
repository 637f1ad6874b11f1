import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobNamed } from './job-instances.ts';
import type { Job } from './jobs.ts';
import { NameLookup } from './name-lookup.ts';

const plain = { timeout: null, elasticProfileId: null, environmentVariables: [], resources: [], tasks: [], tabs: [], artifacts: [] };
const job = (name: string, runInstanceCount: Job['runInstanceCount'] = null): Job => ({ ...plain, name, runInstanceCount });

test('a job is found by its name and by that of an instance, in any letter case', () => {
  const jobs = [job('Unit', 3), job('lint'), job('all', 'all'), job('UNIT')];
  const found = (name: string) => jobNamed(jobs, name, new NameLookup());
  assert.equal(found('unit'), jobs[0]);
  assert.equal(found('unit-runInstance-2'), jobs[0]);
  assert.equal(found('UNIT-RUNINSTANCE-2'), jobs[0]);
  assert.equal(found('all-runOnAll-1'), jobs[2]);
  for (const none of ['unit-runOnAll-2', 'lint-runInstance-1', 'other', 'unit-runInstance-']) assert.equal(found(none), undefined, none);
});

test('the names of a list are read once, however many are looked for', () => {
  let reads = 0;
  const jobs = Array.from({ length: 500 }, (_, index) => ({
    ...job(''),
    get name() {
      reads++;
      return `j${index}`;
    },
  }));
  const lookup = new NameLookup();
  for (const [index, one] of jobs.entries()) assert.equal(jobNamed(jobs, `J${index}`, lookup), one);
  assert.equal(reads, jobs.length);
});
