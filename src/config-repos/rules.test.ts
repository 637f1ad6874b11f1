import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, notAllowed, type ReferredType, type Rule } from './rules.ts';

const rule = (directive: string, type: string, resource: string, action = 'refer'): Rule => ({ directive, action, type, resource });
const group = (name: string) => ({ type: 'pipeline_group' as ReferredType, name });

test('without a rule that matches nothing is allowed', () => {
  assert.ok(!isAllowed(group('g'), []));
  assert.ok(!isAllowed(group('g'), [rule('allow', 'pipeline', 'g'), rule('allow', 'pipeline_group', 'h')]));
});

test('the first that matches decides', () => {
  const rules = [rule('deny', 'pipeline_group', 'secret*'), rule('allow', '*', '*'), rule('deny', '*', '*')];
  assert.ok(isAllowed(group('open'), rules));
  assert.ok(!isAllowed(group('secret-1'), rules));
  assert.ok(isAllowed({ type: 'environment', name: 'secret' }, rules));
});

test('wildcards and words do not look at the letter case', () => {
  assert.ok(isAllowed(group('MY_group'), [rule('allow', 'PIPELINE_GROUP', '*_Group', 'REFER')]));
  assert.ok(!isAllowed(group('Team_AB_x'), [rule('allow', 'pipeline_group', 'Team_?_x')]));
});

test('what is told', () => {
  assert.equal(notAllowed(group('g')), "Not allowed to refer to pipeline group 'g'. Check the 'Rules' of this config repository.");
});
