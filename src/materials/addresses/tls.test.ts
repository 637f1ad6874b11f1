import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tlsFor } from './tls.ts';

test('certificates are checked, except those of the hosts in the list', () => {
  const rules = { tls: { caFile: '/ca.pem', uncheckedHosts: ['lab.example.org', 'other.example.org:8443', '[::1]'] } };
  const isChecked = (address: string) => tlsFor(address, rules).isChecked;
  for (const address of [
    'https://lab.example.org/x',
    'https://LAB.example.org:444/x',
    'https://other.example.org:8443/x',
    'ssl:lab.example.org:1666',
    'ssl64:lab.example.org:1666',
    'ssl:[::1]:1666',
    'https://[::1]/x',
  ]) {
    assert.equal(isChecked(address), false, address);
  }
  for (const address of [
    'https://lab.example.org.evil.org/x',
    'https://other.example.org/x',
    'https://evil.org/lab.example.org',
    'https://evil.org/@lab.example.org/',
    'https://x.lab.example.org/',
    '/lab.example.org',
    '',
  ]) {
    assert.equal(isChecked(address), true, address);
  }
  assert.deepEqual(tlsFor('https://x', rules), { caFile: '/ca.pem', isChecked: true });
  assert.deepEqual(tlsFor('https://x', {}), { caFile: undefined, isChecked: true });
});
