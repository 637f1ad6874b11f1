import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CROSS_ORIGIN, CROSS_SITE, refuseCrossSite } from './cross-site.ts';

const OWN = 'http://cd.example.org:8153/cd';
const SITE_URLS = ['https://ci.example.com/cd', 'http://ci.example.com'];

interface SentHeaders {
  readonly origin?: string;
  readonly site?: string;
}

/** The message with which a request is refused; undefined: it is let in. */
function refusal({ origin, site }: SentHeaders, method = 'POST', own = OWN): string | undefined {
  const headers = { ...(origin !== undefined && { origin }), ...(site !== undefined && { 'sec-fetch-site': site }) };
  try {
    refuseCrossSite(
      { method, headers },
      () => own,
      () => SITE_URLS,
    );
    return undefined;
  } catch (failure) {
    return (failure as Error).message;
  }
}

test('a request without the headers of a browser is let in', () => {
  assert.equal(refusal({}), undefined);
});

test('pages of this server may send changes, under its address and under its site URLs', () => {
  for (const origin of ['http://cd.example.org:8153', 'https://ci.example.com', 'http://ci.example.com'])
    for (const site of [undefined, 'same-origin', 'same-site']) assert.equal(refusal({ origin, ...(site && { site }) }), undefined);
  for (const site of ['same-origin', 'none']) assert.equal(refusal({ site }), undefined);
});

test('a proxy that ends TLS need not be known, but an origin without TLS is foreign to a server with TLS', () => {
  assert.equal(refusal({ origin: 'https://cd.example.org:8153' }), undefined);
  assert.equal(refusal({ origin: 'http://cd.example.org' }, 'POST', 'https://cd.example.org'), CROSS_ORIGIN);
});

test('pages of other sites may not send changes, whichever header names the site', () => {
  for (const origin of [
    'https://evil.example',
    'null',
    'http://cd.example.org',
    'http://cd.example.org:8154',
    'http://sub.cd.example.org:8153',
    '',
  ])
    assert.equal(refusal({ origin }), CROSS_ORIGIN, origin);
  for (const site of ['cross-site', 'same-site', 'anything']) assert.equal(refusal({ site }), CROSS_SITE, site);
  assert.equal(refusal({ origin: 'https://evil.example', site: 'same-origin' }), CROSS_ORIGIN);
  assert.equal(refusal({ origin: 'https://ci.example.com', site: 'cross-site' }), CROSS_SITE);
});

test('pages of other sites are refused for every method that can change something, and for no other', () => {
  const crossSite = { origin: 'https://evil.example', site: 'cross-site' };
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) assert.equal(refusal(crossSite, method), CROSS_SITE);
  for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.equal(refusal(crossSite, method), undefined);
});
