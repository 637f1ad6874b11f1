// Where a login leads back to: an address of this server, whatever the link asks for.

export const FIRST_PAGE = '/pipelines';
const MAX_LENGTH = 1500;
/** Never asked for by its name: only how a browser reads an address is of interest. */
const HOST = 'http://here.invalid';

/** A path below the context path, with its query. */
export function returnPath(text: string | null): string {
  if (text === null || text.length > MAX_LENGTH || !text.startsWith('/')) return FIRST_PAGE;
  const url = URL.parse(text, HOST);
  // Browsers skip line breaks and tabs, and take `\` for `/`: two slashes at the start are another host, also after `/..`.
  if (!url || url.origin !== HOST || url.pathname.startsWith('//')) return FIRST_PAGE;
  const path = url.pathname + url.search + url.hash;
  return path.length > MAX_LENGTH ? FIRST_PAGE : path;
}
