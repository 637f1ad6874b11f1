import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Config } from '../config/current.ts';
import type { KindName } from '../shape/configuration.ts';
import { identifier } from '../shape/fields.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import { collection, type Entity, kindsOf, singleton } from '../shape/resource.ts';
import { Access } from './may.ts';
import { TokenScopes } from './scopes/token-scopes.ts';

const common = {
  title: '',
  about: '',
  path: '',
  version: 1,
  since: '',
  permission: 'admin',
  doc: '',
  links: [],
  example: {},
  needsIfMatch: true,
} as const;
const messages = messagesOf({ entity: '', by: '', short: '', tag: '' });
const many = collection({
  ...common,
  listLinks: [],
  listKey: '',
  id: 'name',
  idParameter: '',
  ignoresCase: true,
  fields: { name: identifier() },
  messages,
});
const one = singleton({ ...common, verbs: [], fields: {}, messages });

const config = new Config(
  kindsOf({ systemAdmins: one, roles: many, pipelineGroups: many, pipelines: many, templates: many, templateAuthorizations: many }),
);
const put = (kind: KindName, key: string, value: Entity) =>
  config.replace(config.kind(kind), key, { key, value, etag: '', revision: 1, created: 1 });
const members = (users: string[], roles: string[] = []) => ({ users, roles });
const as = (loginName: string) => ({ loginName, displayName: loginName, tokenId: null, authConfigId: '' });
const access = new Access(config);

const SHOP = { group: 'shop', pipeline: 'web' };

put('systemAdmins', '', members(['root'], []));
put('roles', 'ops', { name: 'Ops', policy: [], attributes: { users: ['olga'] } });
put('pipelineGroups', 'shop', {
  name: 'Shop',
  authorization: { view: members(['vera']), operate: members(['otto'], ['OPS']), admins: members(['anna']) },
});

test('seeing and operating a group are rights of their own; its administrators have both', () => {
  for (const [login, views, operates] of [
    ['root', true, true],
    ['Anna', true, true],
    ['vera', true, false],
    ['OTTO', false, true],
    ['olga', false, true],
    ['nora', false, false],
  ] as const) {
    assert.equal(access.mayView(as(login), { group: 'SHOP', pipeline: 'web' }), views, login);
    assert.equal(access.mayOperate(as(login), SHOP), operates, login);
  }
});

test('a stage with approvers of its own asks those', () => {
  assert.ok(access.mayOperate(as('vera'), SHOP, members(['Vera'])));
  assert.ok(access.mayOperate(as('olga'), SHOP, members([], ['ops'])));
  assert.ok(!access.mayOperate(as('otto'), SHOP, members(['vera'])));
  assert.ok(access.mayOperate(as('anna'), SHOP, members(['vera'])));
});

test('a changed role counts at once', () => {
  put('roles', 'ops', { name: 'Ops', policy: [], attributes: { users: [] } });
  assert.ok(!access.mayOperate(as('olga'), SHOP));
});

test('a token has the rights of its user as far as its scopes go, and never more', () => {
  const limited = (login: string, ...scopes: string[]) => ({ ...as(login), scopes: new TokenScopes(scopes) });
  const other = { group: 'shop', pipeline: 'app' };
  assert.ok(access.mayView(limited('vera', 'pipelines:view:web'), SHOP));
  assert.ok(!access.mayView(limited('vera', 'pipelines:view:web'), other));
  assert.ok(!access.mayOperate(limited('vera', '*:administer:*'), SHOP));
  assert.ok(!access.mayOperate(limited('otto', 'pipelines:view:web'), SHOP));
  assert.ok(access.mayOperate(limited('otto', 'pipeline_groups:operate:Shop'), SHOP));
  assert.ok(!access.isAdmin(limited('root', 'pipelines:administer:*')));
  assert.ok(access.isAdmin(limited('root', '*:*:*')));
  assert.ok(!access.isAdmin(limited('vera', '*:*:*')));
  assert.ok(!access.passes(limited('root', '*:view:*'), 'admin'));
  const question = { type: 'environment', action: 'administer', resource: 'prod' } as const;
  assert.ok(access.may(limited('root', 'environments:administer:p*'), 'admin', question));
  assert.ok(!access.may(limited('root', 'environments:view:*', 'environments:administer:dev'), 'admin', question));
  assert.ok(!access.mayHaveAnyOf(limited('root', 'pipelines:view:*'), 'admin', 'environment'));
  assert.ok(!access.mayCreate(limited('root', 'environments:view:*'), question));
});
