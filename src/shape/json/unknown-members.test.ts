import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registry } from '../../resources/index.ts';
import { describeFields } from '../field.ts';
import { kindsOf } from '../resource.ts';
import type { Json, JsonSchema } from './json.ts';
import { unknownMembers } from './unknown-members.ts';

const TEXT: JsonSchema = { type: 'string' };
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({ type: 'object', properties, ...more });

const schema = object({
  name: TEXT,
  list: { type: 'array', items: object({ key: TEXT }) },
  links: { type: 'object', additionalProperties: object({ href: TEXT }) },
  closed: object({ key: TEXT }, { additionalProperties: false }),
  maybe: { anyOf: [object({ key: TEXT }), { type: 'null' }] },
  task: { oneOf: [object({ type: { const: 'exec' }, command: TEXT }), object({ type: { const: 'ant' }, target: TEXT })] },
});

const found = (value: Json, ...schemas: JsonSchema[]) =>
  unknownMembers(value, [schema, ...schemas]).map(({ path, meant }) => [path.join('/'), meant]);

test('known members are not reported, nor values of another form', () => {
  assert.deepEqual(found({ name: 'a', list: [{ key: '1' }], links: { any: { thing: {} } }, maybe: null }), []);
  assert.deepEqual(found({ name: { un: 'readable' }, list: 'none' }), [], 'what is of another form is refused for that');
});

test('unknown members are reported at any depth, with a suggestion', () => {
  assert.deepEqual(found({ nmae: 'a', other: 1, list: [{ key: '1' }, { kee: '2' }], maybe: { x: 1 } }), [
    ['nmae', 'name'],
    ['other', undefined],
    ['list/1/kee', 'key'],
    ['maybe/x', undefined],
  ]);
  assert.deepEqual(found(JSON.parse('{"__proto__": {"a": 1}}')), [['__proto__', undefined]]);
});

test('members that one of several schemas knows are not reported', () => {
  assert.deepEqual(found({ shown: { x: 1 } }, object({ shown: object({ x: TEXT }) })), []);
});

test('the variant that the type names decides, and none if the type is unknown', () => {
  assert.deepEqual(found({ task: { type: 'Exec', target: 'x' } }), [['task/target', undefined]]);
  assert.deepEqual(found({ task: { type: 'make', target: 'x' } }), []);
});

test('a schema that refuses other members reports them itself', () => {
  assert.deepEqual(found({ closed: { other: 1 } }), []);
});

test('the examples of all resources have nothing unknown', () => {
  for (const kind of kindsOf(registry)) {
    const { request } = describeFields(kind.fields);
    assert.deepEqual(unknownMembers(kind.example as Json, [request]), [], kind.name);
  }
});
