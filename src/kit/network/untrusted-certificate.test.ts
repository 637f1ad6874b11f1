import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untrustedCertificate } from './untrusted-certificate.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

test('says how to trust the authority, in place of the advice of Node', () => {
  const message = 'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
  assert.equal(
    untrustedCertificate(failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', message)),
    'its certificate is not trusted (unable to verify the first certificate). ' +
      'Set NODE_EXTRA_CA_CERTS to the file (PEM) of the authority that signed it',
  );
});

test('has nothing to say of other failures', () => {
  assert.equal(untrustedCertificate(failure('ECONNREFUSED', 'connect ECONNREFUSED')), undefined);
  assert.equal(untrustedCertificate(new Error('cut off')), undefined);
});
