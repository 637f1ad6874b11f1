import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalKind, taskPageIn } from './ecs-answers.ts';

test('a page has no more tasks than were asked for, and only texts that can be the name of a task', () => {
  const many = Array.from({ length: 300_000 }, (_, number) => `arn:${number}`);
  assert.deepEqual(taskPageIn({ taskArns: many, nextToken: 'next' }, 2), { arns: ['arn:0', 'arn:1'], nextToken: 'next' });
  assert.deepEqual(taskPageIn({ taskArns: ['a'.repeat(100_000), 7, null, 'arn:1'], nextToken: 't'.repeat(100_000) }, 9), {
    arns: ['arn:1'],
    nextToken: undefined,
  });
  assert.deepEqual(taskPageIn({ taskArns: 'x' }, 9), { arns: [], nextToken: undefined });
});

test('a reason to refuse is a name, or not repeated', () => {
  assert.equal(refusalKind('com.amazonaws.ecs#ClusterNotFoundException'), 'ClusterNotFoundException');
  assert.equal(refusalKind('ServerException'), 'ServerException');
  for (const type of [undefined, 7, '', 'x'.repeat(10_000_000), 'a b\nc', '<html>']) assert.equal(refusalKind(type), 'an unknown reason');
});
