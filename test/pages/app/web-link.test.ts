// Links to lines of files on the websites of hosting services.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { webLink } from '../../../pages/kit/source/web-link.ts';

const location = { file: 'ci/web app.yaml', line: 12, revision: 'abc123' };

describe('a link to a line', () => {
  for (const [address, link] of [
    ['https://github.com/shop/web.git', 'https://github.com/shop/web/blob/abc123/ci/web%20app.yaml#L12'],
    ['https://jez:hush@github.example.org:8443/shop/web', 'https://github.example.org:8443/shop/web/blob/abc123/ci/web%20app.yaml#L12'],
    ['git@github.com:shop/web.git', 'https://github.com/shop/web/blob/abc123/ci/web%20app.yaml#L12'],
    ['ssh://git@gitlab.com:2222/shop/deep/web.git', 'https://gitlab.com/shop/deep/web/-/blob/abc123/ci/web%20app.yaml#L12'],
    ['https://bitbucket.org/shop/web.git', 'https://bitbucket.org/shop/web/src/abc123/ci/web%20app.yaml#lines-12'],
    ['https://codeberg.org/shop/web', 'https://codeberg.org/shop/web/src/commit/abc123/ci/web%20app.yaml#L12'],
    ['http://gitea.local/shop/web/', 'http://gitea.local/shop/web/src/commit/abc123/ci/web%20app.yaml#L12'],
  ] as const)
    it(`a link to a line of ${address}`, () => assert.equal(webLink(address, location), link));

  it('leads to the file where the line is not known', () =>
    assert.equal(
      webLink('https://github.com/shop/web', { ...location, line: null }),
      'https://github.com/shop/web/blob/abc123/ci/web%20app.yaml',
    ));

  for (const address of [
    'https://scm.example.org/shop/web.git',
    '/srv/git/web',
    'C:\\git\\web',
    'javascript:alert(1)//github.com/a/b',
    'https://github.com/',
    'https://github.com/web',
    'https://notgithub.com/shop/web',
    '',
  ])
    it(`is not made of ${address || 'nothing'}`, () => assert.equal(webLink(address, location), undefined));

  it('holds nothing that a file or a revision could smuggle in', () =>
    assert.equal(
      webLink('https://github.com/shop/web', { file: '../x"#?y', line: 1, revision: 'a/../b' }),
      'https://github.com/shop/web/blob/a%2F..%2Fb/../x%22%23%3Fy#L1',
    ));
});
