import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { leavingOneProcessor, processorsIn } from './processors.ts';

describe('the processors a program may use', () => {
  test('are read from the status of its process', () => {
    assert.deepEqual(processorsIn('Name:\tnode\nCpus_allowed:\t27\nCpus_allowed_list:\t0-2,5\nMems_allowed:\t1\n'), [0, 1, 2, 5]);
    assert.deepEqual(processorsIn('Cpus_allowed_list:\t7\n'), [7]);
    assert.deepEqual(processorsIn('Name:\tnode\n'), []);
  });

  test('are all but one for a program that leaves one to others', (context) => {
    const prefix = leavingOneProcessor();
    if (!prefix) return context.skip('this machine has one processor, or cannot distinguish them');
    const [tool = '', ...rest] = prefix;
    const mine = processorsIn(execFileSync('cat', ['/proc/self/status'], { encoding: 'utf8' }));
    const theirs = processorsIn(execFileSync(tool, [...rest, 'cat', '/proc/self/status'], { encoding: 'utf8' }));
    assert.deepEqual(theirs, mine.slice(1));
  });
});
