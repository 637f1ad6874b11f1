import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untimelyCertificate, untrustedCertificate } from './untrusted-certificate.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

test('a certificate that is not trusted is reported with the variable that makes it trusted', () => {
  const message = 'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
  assert.equal(
    untrustedCertificate(failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', message)),
    'its certificate is not trusted (unable to verify the first certificate). ' +
      'Set NODE_EXTRA_CA_CERTS to the file (PEM) of the authority that signed it',
  );
});

test('a certificate that is not valid at this time may be the fault of the clock', () => {
  assert.equal(
    untimelyCertificate(failure('CERT_NOT_YET_VALID', 'certificate is not yet valid')),
    'its certificate is not valid now (certificate is not yet valid). Correct the clock of this machine, or renew the certificate of the server',
  );
});

test('other failures are not taken for failures of certificates', () => {
  assert.equal(untrustedCertificate(failure('ECONNREFUSED', 'connect ECONNREFUSED')), undefined);
  assert.equal(untrustedCertificate(new Error('cut off')), undefined);
  assert.equal(untimelyCertificate(new Error('cut off')), undefined);
});
