import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostProblem, pathAndQuery } from './request-host.ts';

const problem = (hosts: readonly (readonly [name: string, value: string])[], url = '/api/version', httpVersion = '1.1') =>
  hostProblem({
    headers: hosts[0] ? { host: hosts[0][1] } : {},
    rawHeaders: ['Accept', '*/*', ...hosts.flat(), 'X-Host', 'b'],
    url,
    httpVersion,
  });

test('a host is named once, in any letter case', () => {
  assert.equal(problem([['Host', 'a']]), undefined);
  const twice = 'The request has more than one Host header.';
  assert.equal(
    problem([
      ['Host', 'a'],
      ['Host', 'b'],
    ]),
    twice,
  );
  assert.equal(
    problem([
      ['host', 'a'],
      ['HOST', 'a'],
    ]),
    twice,
  );
  assert.equal(
    problem(
      [
        ['Host', 'a'],
        ['hOsT', 'a'],
      ],
      '/',
      '1.0',
    ),
    twice,
  );
});

test('the Host header may be missing only in HTTP/1.0', () => {
  assert.equal(problem([]), 'The request has no Host header.');
  assert.equal(problem([], '/', '1.0'), undefined);
});

test('a whole address in the request line must name the same host as the Host header', () => {
  assert.equal(problem([['Host', 'cd.example.org:8153']], 'http://CD.example.org:8153/api/version'), undefined);
  const differs = 'The request line names another host than the Host header.';
  for (const url of ['http://evil.example/api/version', 'https://cd.example.org', 'http://me@cd.example.org:8153/', 'http:///x'])
    assert.equal(problem([['Host', 'cd.example.org:8153']], url), differs, url);
});

test('the path and query follow the host', () => {
  for (const [url, path] of [
    ['/api?at=1', '/api?at=1'],
    ['http://a/api?at=1', '/api?at=1'],
    ['HTTP://a', '/'],
    ['http://a?at=1', '/?at=1'],
    ['//a/b', '//a/b'],
    ['*', '*'],
  ] as const)
    assert.equal(pathAndQuery(url), path);
});
