import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, notAllowed, type ReferredType, type Rule } from './rules.ts';
import { withdrawalReason } from './withdrawal-reason.ts';

const rule = (directive: string, type: string, resource: string, action = 'refer'): Rule => ({ directive, action, type, resource });
const group = (name: string) => ({ type: 'pipeline_group' as ReferredType, name });

test('nothing is allowed without a matching rule', () => {
  assert.ok(!isAllowed(group('g'), []));
  assert.ok(!isAllowed(group('g'), [rule('allow', 'pipeline', 'g'), rule('allow', 'pipeline_group', 'h')]));
});

test('the first rule that matches decides', () => {
  const rules = [rule('deny', 'pipeline_group', 'secret*'), rule('allow', '*', '*'), rule('deny', '*', '*')];
  assert.ok(isAllowed(group('open'), rules));
  assert.ok(!isAllowed(group('secret-1'), rules));
  assert.ok(isAllowed({ type: 'environment', name: 'secret' }, rules));
});

test('wildcards and names ignore the letter case', () => {
  assert.ok(isAllowed(group('MY_group'), [rule('allow', 'PIPELINE_GROUP', '*_Group', 'REFER')]));
  assert.ok(!isAllowed(group('Team_AB_x'), [rule('allow', 'pipeline_group', 'Team_?_x')]));
});

test('a referral that is not allowed is reported in the words of GoCD', () => {
  assert.equal(notAllowed(group('g')), "Not allowed to refer to pipeline group 'g'. Check the 'Rules' of this config repository.");
});

test('a withdrawal is reported with its reason and the config repos withdrawn with it', () => {
  const source = 'one.git at revision 1';
  assert.equal(
    withdrawalReason({ referrals: [group('g'), group('g')], others: [] }, source),
    `Withdrawn, because the rules no longer allow it to refer to pipeline group 'g': ${source}`,
  );
  const others = [
    { repo: 'two', pipelines: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    { repo: 'three', pipelines: [] },
  ];
  assert.match(
    withdrawalReason({ referrals: [group('g')], others }, source),
    /\. Withdrawn with it, because it depends on it: config repo two \(pipelines a, b, c, d, e, 2 more\), config repo three$/,
  );
});
