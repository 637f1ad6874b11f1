// ETags of entities are kept in databases: the same entity has to have the same one in every version of the server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha512of256 } from '../../kit/bytes/hash.ts';
import { etagOf } from './etag.ts';

const text = fc.oneof(fc.string(), fc.constantFrom('"cipherText":"', '\\"cipherText":"x",', '{"cipherText":"x"}', '",', '\\'));
const secret = fc.record({ cipherText: text, digest: text });
const members = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    secret,
    tie('mirrored'),
    tie('between'),
    tie('list'),
    tie('object'),
  ),
  mirrored: fc.record({ digest: text, cipherText: text }),
  between: fc.record({ name: text, cipherText: text, digest: text }),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
}));

test('an ETag is the hash of the JSON without the cipher texts', () => {
  const without = (value: object) => JSON.stringify(value, (name, member) => (name === 'cipherText' ? undefined : member));
  fc.assert(
    fc.property(fc.dictionary(text, members.value), (entity) => {
      assert.equal(etagOf(entity), sha512of256(without(entity)));
    }),
    { numRuns: 500 },
  );
});

test('an ETag is the same as in earlier versions', () => {
  const entity = { name: 'prod', variables: [{ name: 'KEY', value: { cipherText: 'v1:00000000:AAAA', digest: 'b' } }] };
  assert.equal(etagOf(entity), sha512of256('{"name":"prod","variables":[{"name":"KEY","value":{"digest":"b"}}]}'));
  assert.equal(etagOf({ ...entity, variables: [{ name: 'KEY', value: { cipherText: 'v1:00000000:BBBB', digest: 'b' } }] }), etagOf(entity));
});
