// Connections to other servers by HTTPS.
import { X509Certificate } from 'node:crypto';
import { Agent } from 'node:https';
import { checkServerIdentity, createSecureContext, getCACertificates } from 'node:tls';

/**
 * `certificate`: the one that this server has, as PEM. A server that has the same one is trusted: it need not be of an authority that
 * this machine knows, nor for the name by which servers reach each other. Other certificates are checked as usual.
 */
export function secureAgent(certificate: string | undefined): Agent {
  if (certificate === undefined) return new Agent({ keepAlive: true });
  const own = new X509Certificate(certificate);
  return new Agent({
    keepAlive: true,
    secureContext: createSecureContext({
      ca: [...getCACertificates('default'), certificate],
      allowPartialTrustChain: true,
      minVersion: 'TLSv1.2',
    }),
    checkServerIdentity: (name, other) => (other.raw.equals(own.raw) ? undefined : checkServerIdentity(name, other)),
  });
}
