// Forms without a browser: from a schema and a value to fields, and back to the body that is sent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../../../pages/api/json.ts';
import { formBody } from '../../../pages/forms/model/body.ts';
import { declaredIn } from '../../../pages/forms/model/declared.ts';
import { chosenNode, type Node, type ObjectNode, objectOf } from '../../../pages/forms/model/node.ts';
import { assignProblems, wrongFields } from '../../../pages/forms/model/problems.ts';
import { withDeclared } from '../../../pages/forms/model/settings.ts';
import { formField, singularOf, withoutMember } from '../../../pages/forms/schema/fields.ts';
import type { Schema } from '../../../pages/forms/schema/schema.ts';

const TEXT = { type: 'string' } as const;
const SETTINGS = { type: 'array', 'x-plugin': { extension: 'scm', settings: 'scm_settings', id: ['plugin', 'id'] } } as const;

function schemaOf(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required };
}

function formOf(properties: Readonly<Record<string, Schema>>, value?: JsonObject, required?: readonly string[]): ObjectNode {
  return objectOf(formField(schemaOf(properties, required)), value);
}

function member<K extends Node['is']>(node: Node, name: string, is: K): Extract<Node, { is: K }> {
  const found = node.is === 'object' ? node.members.find(({ field }) => field.name === name) : undefined;
  if (found?.is !== is) throw new Error(`${name} is ${found?.is}`);
  return found as Extract<Node, { is: K }>;
}

describe('fields', () => {
  it('are of the kind that their schema says', () => {
    const kinds = (properties: Readonly<Record<string, Schema>>) => formField(schemaOf(properties)).members.map(({ kind }) => kind);
    assert.deepEqual(
      kinds({
        text: TEXT,
        number: { type: ['integer', 'null'] },
        flag: { type: 'boolean' },
        choice: { ...TEXT, 'x-choices': [{ value: 'a', label: 'A' }] },
        reference: { ...TEXT, 'x-refers-to': 'roles' },
        plugin: { ...TEXT, 'x-plugin': { extension: null } },
        secret: { ...TEXT, 'x-secret': 'encrypted_secret' },
        encrypted_secret: TEXT,
        texts: { type: 'array', items: TEXT },
        list: { type: 'array', items: schemaOf({ name: TEXT }) },
        object: schemaOf({ name: TEXT }),
        settings: SETTINGS,
        anything: {},
        _links: { type: 'object' },
        origin: { type: 'object', readOnly: true },
      }),
      ['text', 'number', 'boolean', 'choice', 'reference', 'plugin', 'secret', 'texts', 'list', 'object', 'settings', 'json'],
    );
  });

  it('have a label, from the schema or from their name', () => {
    const [one, other] = formField(schemaOf({ site_url: TEXT, other: { ...TEXT, title: 'Something else' } })).members;
    assert.deepEqual([one?.label, other?.label], ['Site url', 'Something else']);
    assert.deepEqual(['Policies', 'Rules', 'Access', 'Policy'].map(singularOf), ['Policy', 'Rule', 'Access', 'Policy']);
  });
});

describe('a body', () => {
  it('equals the value that came, where nothing was changed', () => {
    const value = { name: 'a', other: null, list: [{ name: 'x', more: [1] }], unknown: { b: 1 }, flag: false, number: 2.5, texts: ['t'] };
    const form = formOf(
      {
        name: TEXT,
        other: { type: ['string', 'null'] },
        list: { type: 'array', items: schemaOf({ name: TEXT }) },
        flag: { type: 'boolean' },
        number: { type: 'number' },
        texts: { type: 'array', items: TEXT },
      },
      { ...value, _links: { self: { href: 'x' } } },
    );
    assert.deepEqual(formBody(form), value);
  });

  it('a body of a new entity has typed values, required members and defaults', () => {
    const properties = { name: TEXT, other: TEXT, id: TEXT, flag: { type: 'boolean', default: true }, note: { ...TEXT, default: 'x' } };
    const form = formOf(properties, undefined, ['id']);
    assert.deepEqual(formBody(form), { id: '', flag: true, note: 'x' });
    member(form, 'name', 'text').text.value = 'a';
    assert.deepEqual(formBody(form), { name: 'a', id: '', flag: true, note: 'x' });
  });

  it('has null for cleared fields, where that is allowed', () => {
    const form = formOf(
      { one: { type: ['string', 'null'] }, two: TEXT, three: { type: ['integer', 'null'] } },
      { one: 'a', two: 'b', three: 3 },
    );
    for (const name of ['one', 'two', 'three']) member(form, name, 'text').text.value = '';
    assert.deepEqual(formBody(form), { one: null, two: '', three: null });
  });

  it('has numbers for numeric text, and other text unchanged: the server refuses it', () => {
    const form = formOf({ one: { type: 'integer' }, two: { type: 'number' } }, { one: 1, two: 2 });
    member(form, 'one', 'text').text.value = '12';
    member(form, 'two', 'text').text.value = 'many';
    assert.deepEqual(formBody(form), { one: 12, two: 'many' });
  });

  it('has a name that is typed in a list and not added yet, once', () => {
    const form = formOf({ roles: { type: 'array', items: { ...TEXT, 'x-refers-to': 'roles' } } }, { roles: ['one'] });
    const { typed } = member(form, 'roles', 'texts');
    typed.value = ' two ';
    assert.deepEqual(formBody(form), { roles: ['one', 'two'] });
    typed.value = 'one';
    assert.deepEqual(formBody(form), { roles: ['one'] });
  });

  it('leaves out members that only the server sets, and keeps members without a field', () => {
    const schema = schemaOf({ id: TEXT, origin: { type: 'object', readOnly: true } });
    const field = withoutMember(formField(schema), 'id');
    assert.deepEqual(formBody(objectOf(field, { id: 'a', origin: { type: 'svc' }, more: 1 })), { id: 'a', more: 1 });
  });
});

describe('secrets', () => {
  const properties = { password: { ...TEXT, 'x-secret': 'encrypted_password' }, encrypted_password: TEXT };

  it('go back as they came, are replaced, or removed', () => {
    const form = formOf(properties, { encrypted_password: 'AES:x' });
    assert.deepEqual(formBody(form), { encrypted_password: 'AES:x' });
    const { typed } = member(form, 'password', 'secret');
    typed.value = 'new';
    assert.deepEqual(formBody(form), { password: 'new' });
    assert.deepEqual(formBody(form, { isForDraft: true }), { encrypted_password: 'AES:x' });
    typed.value = '';
    assert.deepEqual(formBody(form), {});
  });

  it('depend on a flag, for fields that have one', () => {
    const value = { ...TEXT, 'x-secret': 'encrypted_value', 'x-secret-if': 'secure' };
    const form = formOf({ secure: { type: 'boolean' }, value, encrypted_value: TEXT }, { secure: false, value: 'plain' });
    assert.deepEqual(formBody(form, { isForDraft: true }), { secure: false, value: 'plain' });
    member(form, 'secure', 'flag').value.value = true;
    assert.deepEqual(formBody(form), { secure: true, value: 'plain' });
    assert.deepEqual(formBody(form, { isForDraft: true }), { secure: true });
  });
});

describe('addresses in drafts', () => {
  const drafted = (url: string) => formBody(formOf({ url: TEXT }, { url }), { isForDraft: true }).url;

  it('have no passwords', () => {
    for (const [typed, kept] of [
      ['https://jez:hush@example.org/a', 'https://jez@example.org/a'],
      ['https://jez:hush@ush@example.org/a', 'https://jez@example.org/a'],
      ['https://jez:hu/sh@example.org/a', 'https://jez@example.org/a'],
      ['https://:hush@example.org', 'https://example.org'],
      ['HTTPS://ghp_token@example.org/a', 'HTTPS://example.org/a'],
      ['ssh://git:hush@example.org/a', 'ssh://git@example.org/a'],
      ['from https://jez:hush@a.org to postgres://jez:hush@b.org', 'from https://jez@a.org to postgres://jez@b.org'],
    ] as const)
      assert.equal(drafted(typed), kept, typed);
  });

  it('are kept where they hold no password in clear text', () => {
    for (const url of [
      'https://example.org/a@b',
      'https://example.org:8080/a@b',
      'https://[fd00::1]:8080/a@b',
      'ssh://git@example.org/a',
      'svn+ssh://git@example.org/a',
      'git@example.org:a',
      'https://jez:******@example.org/a',
      'https://******@example.org/a',
      'jez@example.org',
    ])
      assert.equal(drafted(url), url);
  });

  it('lose passwords in settings, lists and JSON, too, and are sent whole', () => {
    const address = 'https://jez:hush@example.org';
    const configuration = [{ key: 'url', value: address }];
    const properties = { configuration: SETTINGS, mirrors: { type: 'array', items: TEXT }, more: {} } as const;
    const form = formOf(properties, { configuration, mirrors: [address], more: { at: address } });
    assert.ok(!JSON.stringify(formBody(form, { isForDraft: true })).includes('hush'));
    assert.equal(JSON.stringify(formBody(form)).split('hush').length, 4);
  });
});

describe('variants', () => {
  const listed = schemaOf({ users: { type: 'array', items: TEXT } });
  const asked = schemaOf({ auth: TEXT });
  const choices = [
    { value: 'listed', label: 'Listed' },
    { value: 'asked', label: 'Asked' },
  ];

  it('follow a member beside them, and keep the typed values of each', () => {
    const attributes = { anyOf: [listed, asked], 'x-variants': { discriminator: 'type', choices, is_beside: true } };
    const form = formOf({ type: { ...TEXT, 'x-choices': choices }, attributes }, { type: 'listed', attributes: { users: ['jez'] } });
    assert.deepEqual(formBody(form), { type: 'listed', attributes: { users: ['jez'] } });
    const type = member(form, 'type', 'text').text;
    type.value = 'asked';
    formBody(form);
    member(member(form, 'attributes', 'variant').nodes.get('asked')!, 'auth', 'text').text.value = 'ldap';
    assert.deepEqual(formBody(form), { type: 'asked', attributes: { auth: 'ldap' } });
    type.value = 'listed';
    assert.deepEqual(formBody(form), { type: 'listed', attributes: { users: ['jez'] } });
  });

  it('are those of another value that means the same, which stays as it is', () => {
    const attributes = {
      anyOf: [listed, asked],
      'x-variants': { discriminator: 'type', choices, aliases: { gocd: 'listed' }, is_beside: true },
    };
    const form = formOf({ type: { ...TEXT, 'x-choices': choices }, attributes }, { type: 'gocd', attributes: { users: ['jez'] } });
    const users = chosenNode(member(form, 'attributes', 'variant'));
    assert.ok(users?.is === 'object');
    member(users, 'users', 'texts').texts.value = ['jez', 'ann'];
    assert.deepEqual(formBody(form), { type: 'gocd', attributes: { users: ['jez', 'ann'] } });
  });

  it('variants that the description does not know are sent back unchanged', () => {
    const attributes = { anyOf: [listed, asked], 'x-variants': { discriminator: 'type', choices, is_beside: true } };
    const body = { type: 'other', attributes: { users: ['jez'] } };
    assert.deepEqual(formBody(formOf({ type: TEXT, attributes }, body)), body);
  });

  it('can hold the member that says which variant they are', () => {
    const variant = (value: string, more: Readonly<Record<string, Schema>>) => schemaOf({ type: { const: value }, ...more });
    const material = {
      oneOf: [variant('listed', { url: TEXT }), variant('asked', { view: TEXT })],
      'x-variants': { discriminator: 'type', choices },
    };
    const form = formOf({ material }, { material: { type: 'asked', view: 'v' } });
    assert.deepEqual(formBody(form), { material: { type: 'asked', view: 'v' } });
    member(form, 'material', 'variant').choice.value = 'listed';
    assert.deepEqual(formBody(form), { material: { type: 'listed' } });
  });
});

describe('settings of a plugin', () => {
  const declared = [
    { key: 'url', metadata: { required: true, secure: false }, label: 'Address' },
    { key: 'password', metadata: { required: false, secure: true } },
    { key: 'branch', metadata: { required: false, secure: false }, default: 'main' },
  ].map(declaredIn);
  const properties = { plugin: schemaOf({ id: { ...TEXT, 'x-plugin': { extension: 'scm' } } }), configuration: SETTINGS };

  it('know the member that names the plugin', () => {
    const form = formOf(properties, { plugin: { id: 'git' } });
    assert.equal(member(form, 'configuration', 'settings').namedBy?.value, 'git');
  });

  it('get a field for each setting that the plugin declares, and are sent when they were typed', () => {
    const form = formOf(properties);
    const node = member(form, 'configuration', 'settings');
    node.settings.value = withDeclared(node.settings.value, declared);
    assert.deepEqual(
      node.settings.value.map(({ key, isSecret }) => [key.value, isSecret.value]),
      [
        ['url', false],
        ['password', true],
        ['branch', false],
      ],
    );
    node.settings.value[0]!.typed.value = 'https://example.org';
    node.settings.value[1]!.typed.value = 'hush';
    const url = { key: 'url', value: 'https://example.org' };
    assert.deepEqual(formBody(form).configuration, [url, { key: 'password', value: 'hush' }]);
    assert.deepEqual(formBody(form, { isForDraft: true }).configuration, [url]);
  });

  it('stay in their order, with keys that the plugin does not know, and without defaults for settings that have a value', () => {
    const configuration: Json = [
      { key: 'other', value: 'o' },
      { key: 'password', encrypted_value: 'AES:p' },
      { key: 'url', value: 'u' },
      { key: 'empty' },
    ];
    const form = formOf(properties, { configuration });
    const node = member(form, 'configuration', 'settings');
    node.settings.value = withDeclared(node.settings.value, declared);
    assert.deepEqual(formBody(form).configuration, configuration);
  });
});

describe('problems', () => {
  const properties = {
    id: TEXT,
    password: { ...TEXT, 'x-secret': 'encrypted_password' },
    encrypted_password: TEXT,
    rules: { type: 'array', items: schemaOf({ type: TEXT }) },
    plugin: schemaOf({ id: TEXT }),
    configuration: SETTINGS,
  };
  const refusalWith = (sent: Json) => ({ message: 'no', data: sent });

  it('stand beside their fields', () => {
    const form = formOf(properties, {
      rules: [{ type: 'a' }, { type: 'b' }],
      configuration: [{ key: 'url', value: 'u' }],
      plugin: { id: 'p' },
    });
    const left = assignProblems(
      form,
      refusalWith({
        errors: { id: ['bad id'], encryptedPassword: ['bad password'], url: ['of the plugin'], elsewhere: ['of nothing'] },
        rules: [{}, { errors: { type: ['bad type'] } }],
        plugin: { errors: { id: ['no plugin'] } },
        configuration: [
          { key: 'url', errors: { configuration_value: ['bad url'] } },
          { key: 'missing', errors: { missing: ['needed'] } },
        ],
      }),
    );
    assert.deepEqual(left, ['of nothing', 'needed']);
    assert.deepEqual(wrongFields(form), ['Id', 'Password', 'Rule 2 › Type', 'Plugin › Id', 'url']);
    assert.deepEqual(member(form, 'id', 'text').problems.value, ['bad id']);
    assert.deepEqual(member(form, 'password', 'secret').problems.value, ['bad password']);
    assert.deepEqual(member(member(form, 'rules', 'list').items.value[1]!.node, 'type', 'text').problems.value, ['bad type']);
    assert.deepEqual(member(member(form, 'plugin', 'object'), 'id', 'text').problems.value, ['no plugin']);
    assert.deepEqual(member(form, 'configuration', 'settings').settings.value[0]!.problems.value, ['of the plugin', 'bad url']);
    assert.deepEqual(assignProblems(form, refusalWith({})), []);
    assert.deepEqual(member(form, 'id', 'text').problems.value, []);
  });

  it('are found beside the message, too', () => {
    const form = formOf(properties);
    assert.deepEqual(assignProblems(form, { message: 'no', id: 'x', errors: { id: ['bad id'] } }), []);
    assert.deepEqual(member(form, 'id', 'text').problems.value, ['bad id']);
    assert.deepEqual(assignProblems(form, { status: 'failure', thing: { errors: { id: ['worse'] } } }), []);
    assert.deepEqual(member(form, 'id', 'text').problems.value, ['worse']);
  });
});
