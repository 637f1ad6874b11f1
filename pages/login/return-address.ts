// Where the login leads back to: always an address of this server, even if the link names another.

import { pageOf } from '../kit/page-addresses.ts';

export const FIRST_PAGE = '/pipelines';
/** Never asked for by its name: only how a browser reads an address is of interest. */
const HOST = 'http://here.invalid';
/** Documents of the server, which are no pages of ours. */
const DOCUMENTS = /^\/(?:files|api)\//;

export function returnAddress(from: string): string {
  if (!from.startsWith('/') || !URL.canParse(from, HOST)) return FIRST_PAGE;
  const { origin, pathname, search, hash } = new URL(from, HOST);
  // Browsers skip line breaks and tabs, and take `\` for `/`: two slashes at the start are another host, also after `/..`.
  if (origin !== HOST || pathname.startsWith('//') || pathname === pageOf.login()) return FIRST_PAGE;
  return pathname + search + hash;
}

export function isDocument(address: string): boolean {
  return DOCUMENTS.test(address);
}
