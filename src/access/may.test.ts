import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Config } from '../config/current.ts';
import { identifier } from '../shape/fields.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import { collection, type Entity, kindsOf, singleton } from '../shape/resource.ts';
import { Access } from './may.ts';

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

const config = new Config(kindsOf({ systemAdmins: one, roles: many, pipelineGroups: many, templates: many, templateAuthorizations: many }));
const put = (kind: string, key: string, value: Entity) =>
  config.replace(config.kinds.get(kind)!, key, { key, value, etag: '', revision: 1, created: 1 });
const members = (users: string[], roles: string[] = []) => ({ users, roles });
const as = (loginName: string) => ({ loginName, displayName: loginName, tokenId: null, authConfigId: '' });
const access = new Access(config);

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
    assert.equal(access.mayView(as(login), 'SHOP'), views, login);
    assert.equal(access.mayOperate(as(login), 'shop'), operates, login);
  }
});

test('a stage with approvers of its own asks those', () => {
  assert.ok(access.mayOperate(as('vera'), 'shop', members(['Vera'])));
  assert.ok(access.mayOperate(as('olga'), 'shop', members([], ['ops'])));
  assert.ok(!access.mayOperate(as('otto'), 'shop', members(['vera'])));
  assert.ok(access.mayOperate(as('anna'), 'shop', members(['vera'])));
});

test('what changes counts at once', () => {
  put('roles', 'ops', { name: 'Ops', policy: [], attributes: { users: [] } });
  assert.ok(!access.mayOperate(as('olga'), 'shop'));
});
