// Reads the property svn:externals: which other addresses a directory brings in, and where it puts them.

export interface External {
  /** Absolute. */
  readonly url: string;
  /** Below the directory that has the property. */
  readonly folder: string;
}

interface BaseUrls {
  /** Of the directory that has the property. */
  readonly directoryUrl: string;
  readonly rootUrl: string;
}

/** Externals that are pinned to a revision are left out: nothing can change there. */
export function readExternals(property: string, base: BaseUrls): External[] {
  return property.split(/\r?\n/).flatMap((line) => readLine(line.trim(), base));
}

function readLine(line: string, base: BaseUrls): External[] {
  if (line === '' || line.startsWith('#')) return [];
  const args = splitArgs(line);
  const revisionAt = args.findIndex((word) => /^-r/.test(word));
  if (revisionAt >= 0) return [];
  const [first, second] = args;
  if (first === undefined || second === undefined) return [];
  // The old form has the folder first, and a whole address after it.
  const [address, folder] = !isAddress(first) && hasScheme(second) ? [second, first] : [first, second];
  const [, target, peg] = /^(.*?)(?:@(\d+|HEAD)?)?$/s.exec(address)!;
  if (peg !== undefined && peg !== 'HEAD') return [];
  return [{ url: resolved(target!, base), folder }];
}

/** Blanks part words, unless quoted or escaped. */
function splitArgs(line: string): string[] {
  return [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])+/g)].map(([word]) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|\\(.)/g, (_, double, single, escaped) =>
      String(double ?? single ?? escaped).replace(/\\(.)/g, '$1'),
    ),
  );
}

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function isAddress(text: string): boolean {
  return hasScheme(text) || /^(?:\^\/|\/|\.\.(?:\/|$))/.test(text);
}

function resolved(address: string, { directoryUrl, rootUrl }: BaseUrls): string {
  if (hasScheme(address)) return address;
  if (address.startsWith('^/')) return joined(rootUrl, address.slice(2));
  const [, scheme = '', host = ''] = /^([a-z][a-z0-9+.-]*:)\/\/([^/]*)/i.exec(directoryUrl) ?? [];
  if (address.startsWith('//')) return `${scheme}${address}`;
  if (address.startsWith('/')) return `${scheme}//${host}${address}`;
  return joined(directoryUrl, address);
}

function joined(base: string, relative: string): string {
  const [, origin = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)(.*)$/is.exec(base) ?? [];
  const parts: string[] = [];
  for (const part of `${path}/${relative}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${origin}/${parts.join('/')}`;
}
