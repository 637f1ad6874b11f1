import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyType } from '../shape/resource.ts';
import { type Action, concerns, type Directive, decidePolicy } from './policy.ts';

const directive = (text: string): Directive => {
  const [permission, action, type, resource] = text.split(' ') as [string, string, string, string];
  return { permission, action, type, resource };
};
const decide = (roles: string[][], action: Action, type: PolicyType, resource: string, within?: string) =>
  decidePolicy(
    roles.map((role) => role.map(directive)),
    { action, type, resource, ...(within !== undefined && { within }) },
  );

test('within a role the first match decides; without a match it decides nothing', () => {
  const role = ['deny administer environment prod', 'allow administer environment *'];
  assert.equal(decide([role], 'administer', 'environment', 'PROD'), 'deny');
  assert.equal(decide([role], 'administer', 'environment', 'qa'), 'allow');
  assert.equal(decide([role], 'view', 'config_repo', 'x'), undefined);
  assert.equal(decide([], 'view', 'environment', 'x'), undefined);
});

test('administer includes view, view does not include administer, and denying view does not deny administer', () => {
  assert.equal(decide([['allow administer environment *']], 'view', 'environment', 'x'), 'allow');
  assert.equal(decide([['allow view environment *']], 'administer', 'environment', 'x'), undefined);
  assert.equal(decide([['deny view environment *', 'allow administer environment *']], 'administer', 'environment', 'x'), 'allow');
  assert.equal(decide([['deny view environment *', 'allow administer environment *']], 'view', 'environment', 'x'), 'deny');
});

test('a deny in any role wins', () => {
  assert.equal(decide([['allow administer * *'], ['deny view environment prod']], 'view', 'environment', 'prod'), 'deny');
});

test('elastic profiles live in clusters', () => {
  assert.equal(decide([['allow view elastic_agent_profile farm:small']], 'view', 'elastic_agent_profile', 'small', 'farm'), 'allow');
  assert.equal(decide([['allow view elastic_agent_profile farm:small']], 'view', 'elastic_agent_profile', 'small', 'other'), undefined);
  assert.equal(decide([['allow view elastic_agent_profile small']], 'view', 'elastic_agent_profile', 'small', 'other'), 'allow');
  assert.equal(decide([['allow administer cluster_profile farm']], 'administer', 'elastic_agent_profile', 'any', 'farm'), 'allow');
  assert.equal(decide([['allow administer elastic_agent_profile farm:*']], 'view', 'cluster_profile', 'farm'), 'allow');
  assert.equal(decide([['allow administer elastic_agent_profile farm:*']], 'administer', 'cluster_profile', 'farm'), undefined);
});

test('a policy concerns the kinds of entities that its directives name', () => {
  const of = (text: string, type: PolicyType) => concerns([[directive(text)]], type);
  assert.ok(of('deny view * x', 'config_repo'));
  assert.ok(of('allow view cluster_profile x', 'elastic_agent_profile'));
  assert.ok(!of('allow view environment x', 'config_repo'));
});
