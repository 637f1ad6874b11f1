// The certificate of an authority in the settings, as PEM.
import { X509Certificate } from 'node:crypto';

/** Undefined: none is given. Lines may be indented, as in files that people edit. */
export function authorityIn(text: string): string | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

/** The problem of the certificate. */
export function authorityProblem(text: string, now = Date.now()): string | undefined {
  const pem = authorityIn(text);
  if (pem === undefined) return undefined;
  const certificate = parsed(pem);
  if (!certificate)
    return 'Certificate must be an X.509 certificate as PEM, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.';
  if (Date.parse(certificate.validTo) < now) return `Invalid Certificate, expired on \`${certificate.validTo}\``;
  return Date.parse(certificate.validFrom) > now ? `Invalid Certificate, valid from \`${certificate.validFrom}\`` : undefined;
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // the words of OpenSSL say nothing that helps
  }
}
