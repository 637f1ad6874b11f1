// Where local agents reach the server.
import { readFileSync } from 'node:fs';
import type { ListenSettings } from '../../../api/http/listen.ts';
import { ownUrl } from '../own-url.ts';

export interface ServerAddress {
  readonly url: string;
  /** PEM; it need not be for the name of this machine. */
  readonly certificate: string | undefined;
}

const FIRST_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/;

/** `addresses`: on which the server listens. */
export function serverAddress(addresses: readonly string[], settings: Pick<ListenSettings, 'tls' | 'contextPath'>): ServerAddress {
  const url = ownUrl(addresses, settings, (everyAddress) => (everyAddress === '[::]' ? '[::1]' : '127.0.0.1'));
  return { url, certificate: url.startsWith('https:') ? ownCertificate(settings) : undefined };
}

/** Without those of the authorities that have signed it. */
export function ownCertificate({ tls }: Pick<ListenSettings, 'tls'>): string | undefined {
  return tls && FIRST_CERTIFICATE.exec(readFileSync(tls.cert, 'utf8'))?.[0];
}
