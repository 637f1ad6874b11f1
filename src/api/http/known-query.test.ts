import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../kit/refusal.ts';
import { mustBeKnown } from './known-query.ts';

const described = { query: { actor: { type: 'string' }, page_size: { type: 'integer' } } };
const refused = (query: string) => {
  try {
    mustBeKnown(new URLSearchParams(query), described);
    return undefined;
  } catch (failure) {
    assert.ok(failure instanceof Refusal && failure.kind === 'malformed');
    return failure.message;
  }
};

test('parameters of the route may be given any number of times, or not at all', () => {
  for (const query of ['', 'actor=a', 'actor=a&page_size=1&actor=b']) assert.equal(refused(query), undefined, query);
});

test('an unknown parameter is refused with the known ones and a suggestion', () => {
  assert.equal(refused('actor=a&actr=b'), 'There is no query parameter `actr` here. Did you mean `actor`? Known are actor, page_size.');
  assert.throws(() => mustBeKnown(new URLSearchParams('a=1'), {}), { message: 'There is no query parameter `a` here.' });
  assert.equal(refused('toString=1'), 'There is no query parameter `toString` here. Known are actor, page_size.');
});
