// What proxies write into `X-Forwarded-…`: a list, in which each puts what it saw behind what those before it saw.

/** What the proxy next to the client saw. */
export function firstOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();
}
