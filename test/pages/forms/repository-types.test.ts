// The forms of repositories have the types that the server has, and all their attributes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REPOSITORY_TYPES } from '../../../pages/forms/materials/material.ts';
import { repositoryDefinitions } from '../../../src/materials/types/list.ts';
import { snakeCase } from '../../../src/shape/json/json.ts';

const LOGIN = ['username', 'password'];

test('all types of the server are offered', () => {
  assert.deepEqual(
    Object.keys(REPOSITORY_TYPES),
    repositoryDefinitions().map(([type]) => type),
  );
});

for (const [type, { fields, inPipelines }] of repositoryDefinitions())
  test(`all attributes of ${type} have a field`, () => {
    const offered = REPOSITORY_TYPES[type]!;
    const namesOf = (some: typeof offered.fields) => some.map((field) => (field.is === 'password' ? 'password' : field.name)).toSorted();
    assert.deepEqual(namesOf(offered.fields), Object.keys(fields).map(snakeCase).toSorted());
    const attributes = [...Object.keys({ ...inPipelines.before, ...inPipelines.after }).map(snakeCase), ...LOGIN];
    assert.deepEqual(namesOf([...offered.fields, ...(offered.inPipelines ?? [])]), attributes.toSorted());
  });
