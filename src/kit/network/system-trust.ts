// The certificate authorities that connections to other servers trust: Node's, and those of the system.
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

let trusting: SecureContext | undefined;

/** Made once: it takes longer than most connections. The authorities of a company are in the system's list, not in Node's. */
export function trustTheSystem(): SecureContext {
  trusting ??= createSecureContext({ ca: [...getCACertificates('default'), ...getCACertificates('system')], minVersion: 'TLSv1.2' });
  return trusting;
}
