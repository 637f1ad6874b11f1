// What proxies write into `X-Forwarded-…`: a list, in which each puts what it saw behind what those before it saw.

/** What the proxy next to us saw: whoever it was cannot have written that. */
export function lastOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header.at(-1) : header)?.split(',').at(-1)?.trim();
}

/** What the proxy next to the client saw, or what the client wrote. */
export function firstOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();
}
