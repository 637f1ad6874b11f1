import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '../../engine/route.ts';
import { acceptedTypes, failureType, Versions } from './negotiate.ts';

const route = (version: number | null): Route => ({
  method: 'GET',
  path: '/x',
  version,
  permission: 'user',
  description: { chapter: '', summary: '' },
  handle: () => ({ status: 200 }),
});
const versions = new Versions([route(1), route(3), route(2)]);
const chosen = (accept?: string) => {
  const found = versions.choose(accept);
  return found && `${found.vendor.media} ${found.route.version}`;
};

test('the Accept header decides on the vendor word and the version', () => {
  assert.equal(chosen('application/vnd.svc.v2+json'), 'svc 2');
  assert.equal(chosen('application/vnd.go.cd.v1+json'), 'go.cd 1');
  assert.equal(chosen('application/vnd.svc+json'), 'svc 3');
  for (const accept of [undefined, '', '*/*', 'application/*', 'text/html, */*;q=0.1']) assert.equal(chosen(accept), 'svc 3');
  assert.equal(chosen('text/html, application/vnd.svc.v1+json;q=0.5'), 'svc 1');
  assert.equal(chosen('application/vnd.svc.v1+json; charset=utf-8'), 'svc 1');
  assert.equal(chosen('APPLICATION/VND.SVC.V2+JSON'), 'svc 2');
  for (const accept of [
    'application/json',
    'text/html',
    'application/vnd.svc.v4+json',
    'application/vnd.svc.v01+json',
    'application/vnd.other.v1+json',
    'application/vnd.svcXv1+json',
    ';;;',
    '*/*;q=0',
  ]) {
    assert.equal(chosen(accept), undefined, accept);
  }
});

test('a route that serves older versions, too, answers in the one that was asked for', () => {
  const both = new Versions([{ ...route(11), alsoVersions: [10, 9] }]);
  const typeOf = (accept: string) => both.choose(accept)?.contentType.replace(/;.*/, '');
  for (const version of [9, 10, 11]) {
    assert.equal(typeOf(`application/vnd.go.cd.v${version}+json`), `application/vnd.go.cd.v${version}+json`);
  }
  assert.equal(typeOf('application/vnd.svc.v8+json'), undefined);
  assert.equal(typeOf('application/vnd.svc+json'), 'application/vnd.svc.v11+json');
  assert.equal(typeOf('application/vnd.svc.v11+json;q=0, */*'), 'application/vnd.svc.v10+json');
  assert.deepEqual(
    both.supported.slice(0, 3),
    [11, 10, 9].map((version) => `application/vnd.svc.v${version}+json`),
  );
});

test('accepted types are ordered by their quality, and types of quality 0 are refused', () => {
  const { accepted, refused } = acceptedTypes('a/b;q=0.2, c/d, e/f;q=0.9, g/h;q=0');
  assert.deepEqual(accepted, ['c/d', 'e/f', 'a/b']);
  assert.deepEqual([...refused], ['g/h']);
});

test('a version that is refused is not chosen as long as there is another', () => {
  assert.equal(chosen('application/vnd.svc.v3+json;q=0, */*'), 'svc 2');
  assert.equal(chosen('*/*, application/vnd.svc.v2+json; q=0.0, application/vnd.svc.v3+json;q=0'), 'svc 1');
  assert.equal(chosen('application/vnd.go.cd.v3+json;q=0, application/vnd.go.cd+json'), 'go.cd 2');
  assert.equal(chosen('application/vnd.go.cd.v3+json;q=0, */*'), 'svc 3');
  const only = new Versions([route(1)]).choose('application/vnd.svc.v1+json;q=0, */*');
  assert.equal(only?.route.version, 1);
});

test('a failure has the word and the version that were asked for, as far as there are such', () => {
  const typeOf = (accept?: string, among: Versions | undefined = versions) => failureType(among, accept).replace(/;.*/, '');
  assert.equal(typeOf('application/vnd.go.cd.v2+json'), 'application/vnd.go.cd.v2+json');
  assert.equal(typeOf('application/vnd.go.cd.v99+json'), 'application/vnd.go.cd.v3+json');
  assert.equal(typeOf('text/html, application/vnd.go.cd+json;q=0.1'), 'application/vnd.go.cd.v3+json');
  assert.equal(failureType(undefined, 'application/vnd.go.cd.v3+json'), 'application/vnd.go.cd.v1+json; charset=utf-8');
  for (const accept of [undefined, 'text/html', '*/*']) assert.equal(typeOf(accept), 'application/vnd.svc.v3+json');
});

test('a route without versions does not look at Accept', () => {
  assert.ok(new Versions([route(null)]).choose('text/plain'));
});
