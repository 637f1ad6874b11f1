// A stored secret keeps its cipher text when the same plain text is sent again, wherever in the entity it stands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepUnchangedSecrets } from './keep-secrets.ts';

const secret = (plain: string, turn: number) => ({ cipherText: `v1:00000000:${plain}${turn}`, digest: plain });
const entity = (...values: readonly unknown[]) => ({ name: 'prod', variables: values.map((value, at) => ({ name: `V${at}`, value })) });

test('the cipher text of an unchanged secret is kept, that of a changed one is new', () => {
  const before = entity(secret('a', 1), secret('b', 1), 'clear');
  const after = entity(secret('a', 2), secret('c', 2), 'other');
  assert.deepEqual(keepUnchangedSecrets(before, after), entity(secret('a', 1), secret('c', 2), 'other'));
  assert.deepEqual(after, entity(secret('a', 2), secret('c', 2), 'other'));
});

test('an entity without a secret to be replaced is not copied', () => {
  const before = entity(secret('a', 1), 'clear');
  for (const after of [entity(secret('a', 1), 'other'), entity('none'), entity(secret('new', 1))])
    assert.equal(keepUnchangedSecrets(before, after), after);
});

test('an address that comes back masked gets its password back', () => {
  const address = (full: object) => ({ url: { masked: 'https://me:******@host/', full } });
  const before = address(secret('https://me:x@host/', 1));
  assert.deepEqual(keepUnchangedSecrets(before, address({ cipherText: '', digest: '' })), before);
  const same = address(before.url.full);
  assert.equal(keepUnchangedSecrets(before, same), same);
});
