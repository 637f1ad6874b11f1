// Where the server is, as far as it can tell from where it listens.
import type { ListenSettings } from '../../api/http/listen.ts';

const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/**
 * `addresses`: on which it listens, plain HTTP first. `hostOf`: the host that stands for a wildcard address such as 0.0.0.0, to which
 * no client can connect; its argument is that address.
 */
export function ownUrl(
  addresses: readonly string[],
  { tls, contextPath }: Pick<ListenSettings, 'tls' | 'contextPath'>,
  hostOf: (everyAddress: string) => string,
): string {
  // Plain HTTP beside TLS may lead to TLS only.
  const scheme = tls !== undefined && tls.plain !== 'open' ? 'https:' : 'http:';
  const address = addresses.find((one) => one.startsWith(scheme)) ?? addresses[0]!;
  const [, start = '', host = '', port = ''] = /^(\w+:\/\/)(.*)(:\d+)$/.exec(address) ?? [];
  return `${start}${EVERY_ADDRESS.has(host) ? hostOf(host) : host}${port}${contextPath}`;
}
