// Tests how people are told where something is defined.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesText, withPlaces } from './places-in-repos.ts';

const place = (file: string, repo = 'one') => ({ repo, file });

test('each file is named once, and of very many only the first', () => {
  assert.equal(placesText([place('a'), place('a')]), "the file a of the config repo 'one'");
  assert.equal(placesText([place('a'), place('a', 'two')]), "the file a of the config repo 'one' and the file a of the config repo 'two'");
  const many = (count: number) => placesText(Array.from({ length: count }, (_, number) => place(`f${number}`)));
  assert.match(many(5), /f3 of the config repo 'one' and the file f4 of the config repo 'one'$/);
  assert.match(many(6), /the file f4 of the config repo 'one' and another one$/);
  assert.match(many(1000), /the file f4 of the config repo 'one' and 995 others$/);
});

test('the sentence stands behind the message, if there is a place', () => {
  assert.equal(withPlaces('It is used', 'Change', []), 'It is used');
  assert.equal(withPlaces('It is used', 'Change', [place('a')]), "It is used. Change the file a of the config repo 'one'.");
  assert.equal(withPlaces('It is used.', 'Change', [place('a')]), "It is used. Change the file a of the config repo 'one'.");
});
