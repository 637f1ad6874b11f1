// Addresses of files in a Subversion repository, and the paths they stand for.

/** Of a file at a revision, below an address without a slash at its end. */
export function addressOf(base: string, path: string, revision: string): string {
  return `${base.replace(/\/+$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}@${revision}`;
}

/** The path of an address below another one, however they are escaped; undefined: it is not below it. */
export function pathBelow(base: string, address: string): string | undefined {
  const [from, to] = [plain(base), plain(address)];
  if (from === undefined || to === undefined) return undefined;
  return to.startsWith(`${from}/`) ? to.slice(from.length + 1) : undefined;
}

function plain(address: string): string | undefined {
  const [, server, path] = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)(.*)$/is.exec(address) ?? [];
  if (server === undefined) return undefined;
  try {
    return `${server.toLowerCase()}${decodeURIComponent(path!).replace(/\/+/g, '/').replace(/\/$/, '')}`;
  } catch {
    return undefined; // a percent sign that escapes nothing
  }
}
