// Tests how the word for a resource is understood.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailed } from '../../terminal/failures.ts';
import { creationBody, type Form, matchForm } from './forms.ts';

const form = (resource: string, title: string, singular: string): Form => ({
  resource,
  title,
  singular,
  about: '',
  is_singleton: false,
  can_delete: true,
  path: `/api/admin/${resource}`,
  version: 1,
  address_field: 'id',
  name_field: 'id',
  list_key: resource,
  created_as: null,
});
const FORMS = [
  form('artifact_stores', 'Artifact stores', 'artifact store'),
  form('repositories', 'Package repositories', 'package repository'),
  form('mailserver', 'Mail server', 'mail server'),
];
const found = (word: string) => matchForm(FORMS, word).resource;

test('a resource is found by its name or title, singular or plural, in any spelling', () => {
  for (const word of ['artifact_stores', 'artifact-stores', 'Artifact Stores', 'artifact-store', 'artifact_store'])
    assert.equal(found(word), 'artifact_stores');
  for (const word of ['repositories', 'package-repository', 'package-repositories']) assert.equal(found(word), 'repositories');
  for (const word of ['mailserver', 'mail-server']) assert.equal(found(word), 'mailserver');
});

test('a misspelt resource gets a suggestion, an unknown one the way to all', () => {
  const refused = (word: string, text: string) =>
    assert.throws(
      () => found(word),
      (failure) => failure instanceof CommandFailed && failure.kind === 'notFound' && failure.message === text,
    );
  refused('artefact-stores', 'There is no resource called artefact-stores. Did you mean artifact_stores?');
  refused('weather', 'There is no resource called weather. See all with: npm run slipway -- list');
});

test('the body that creates a resource is wrapped if its form says so', () => {
  const body = { name: 'a', group: 'g' };
  const wrapped = { ...FORMS[0]!, created_as: { member: 'thing', beside: ['group'] } };
  assert.deepEqual(creationBody(FORMS[0]!, body), body);
  assert.deepEqual(creationBody(wrapped, body), { group: 'g', thing: { name: 'a' } });
  assert.deepEqual(creationBody(wrapped, { name: 'a' }), { thing: { name: 'a' } });
});
