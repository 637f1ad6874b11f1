import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownUrl } from './own-url.ts';

const machine = () => 'ci-1';
const tls = (plain: 'redirect' | 'open') => ({ cert: 'c', key: 'k', port: 8154, plain });
const both = ['http://0.0.0.0:8153', 'https://0.0.0.0:8154'];

test('the own URL has the name of the machine if the server listens on all addresses', () => {
  const urlOf = (address: string) => ownUrl([address], { tls: undefined, contextPath: '/cd' }, machine);
  assert.equal(urlOf('http://0.0.0.0:8153'), 'http://ci-1:8153/cd');
  assert.equal(urlOf('http://[::]:8153'), 'http://ci-1:8153/cd');
  assert.equal(urlOf('http://127.0.0.1:8153'), 'http://127.0.0.1:8153/cd');
  assert.equal(urlOf('http://[::1]:8153'), 'http://[::1]:8153/cd');
});

test('the own URL is that for TLS, unless plain HTTP is open', () => {
  assert.equal(ownUrl(both, { tls: tls('redirect'), contextPath: '' }, machine), 'https://ci-1:8154');
  assert.equal(ownUrl(both, { tls: tls('open'), contextPath: '' }, machine), 'http://ci-1:8153');
});
