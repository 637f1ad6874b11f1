// Where local agents reach the server.
import { readFileSync } from 'node:fs';
import type { ListenSettings } from '../../../api/http/listen.ts';

export interface ServerAddress {
  readonly url: string;
  /** PEM; it need not be for the name of this machine. */
  readonly certificate: string | undefined;
}

const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };
const FIRST_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/;

/** `addresses`: on which the server listens. */
export function serverAddress(
  addresses: readonly string[],
  { tls, contextPath }: Pick<ListenSettings, 'tls' | 'contextPath'>,
): ServerAddress {
  // Plain HTTP beside TLS may lead to TLS only.
  const isSecure = tls !== undefined && tls.plain !== 'open';
  const address = addresses.find((one) => one.startsWith(isSecure ? 'https:' : 'http:')) ?? addresses[0]!;
  const [, scheme = '', host = '', port = ''] = /^(\w+:\/\/)(.*)(:\d+)$/.exec(address) ?? [];
  return {
    url: `${scheme}${EVERY_ADDRESS[host] ?? host}${port}${contextPath}`,
    certificate: isSecure ? FIRST_CERTIFICATE.exec(readFileSync(tls.cert, 'utf8'))?.[0] : undefined,
  };
}
