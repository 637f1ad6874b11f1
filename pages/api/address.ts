// Addresses of the server, wherever it is mounted.

/** Where the server is mounted: the context path, with a slash at its end. */
export const BASE = new URL(document.baseURI).pathname;

export function addressOf(path: string): string {
  return `${BASE}${path.replace(/^\//, '')}`;
}

/** With scheme and host: for commands that people copy. */
export function urlOf(path: string): string {
  return new URL(addressOf(path), location.href).href;
}

/** The path and query of a link of the API, without the context path: the server may be known by another host name here. */
export function pathIn(href: string): string {
  const { pathname, search } = new URL(href, location.href);
  return pathname.replace(BASE, '/') + search;
}

/** Names in an address: `path\`/api/pipelines/${name}/history\``. */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((whole, part, index) => `${whole}${encodeURIComponent(values[index - 1]!)}${part}`);
}
