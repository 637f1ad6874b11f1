// The message about a server whose certificate is from an authority that Node does not know, or not valid at this time.
const CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Of a certificate that is too old, or of a clock that is wrong. */
const CODES_OF_TIME: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
/** Options of Node are of no use to users who do not start it themselves. */
const ADVICE_OF_NODE = /; if the root CA is installed locally.*/;

/** Whether no trusted authority has signed a certificate. */
export function isUntrustedCertificate({ code = '' }: NodeJS.ErrnoException): boolean {
  return CODES.has(code);
}

/** In words that follow on a colon, without a full stop; undefined: the failure is another one. */
export function untrustedCertificate(failure: NodeJS.ErrnoException): string | undefined {
  if (!isUntrustedCertificate(failure)) return undefined;
  const reason = failure.message.replace(ADVICE_OF_NODE, '');
  return `its certificate is not trusted (${reason}). Set NODE_EXTRA_CA_CERTS to the file (PEM) of the authority that signed it`;
}

/** The words about a certificate that is not valid at the time of this machine. */
export function untimelyCertificate({ code = '', message }: NodeJS.ErrnoException): string | undefined {
  if (!CODES_OF_TIME.has(code)) return undefined;
  return `its certificate is not valid now (${message}). Correct the clock of this machine, or renew the certificate of the server`;
}
