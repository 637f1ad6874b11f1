// Finds the route that an Accept header asks for among the versions of one path.
import type { Route } from './route.ts';
import { contentType, mediaType, OWN_WORD, readVendorType, VENDOR_WORDS, type VendorWord } from './vendor.ts';

export interface Negotiated {
  readonly route: Route;
  readonly word: VendorWord;
  readonly contentType: string;
}

/** What is said of an address, or a version of it, that does not exist. */
export const WRONG_URL = 'The url you are trying to reach appears to be incorrect.';
const ANYTHING = new Set(['*/*', 'application/*']);
const MOST_REMEMBERED = 100;

/** The versions of one method on one path, newest first. */
export class Versions {
  readonly routes: readonly Route[];
  /** Those for other media types than ours. */
  readonly #others: ReadonlyMap<string, Route>;
  /** Clients send few different headers, so each is read once. */
  readonly #known = new Map<string, Negotiated | undefined>();

  constructor(routes: readonly Route[]) {
    this.routes = routes.filter(({ media }) => media === undefined).toSorted((one, other) => (other.version ?? 0) - (one.version ?? 0));
    this.#others = new Map(routes.flatMap((route) => (route.media === undefined ? [] : [[route.media, route]])));
  }

  get newest(): Route {
    return this.routes[0]!;
  }

  choose(accept: string | undefined): Negotiated | undefined {
    const header = accept ?? '';
    const known = this.#known.get(header);
    if (known) return known;
    const chosen = this.newest.version === null ? asked(this.newest, OWN_WORD) : this.#read(header);
    if (chosen && this.#known.size < MOST_REMEMBERED) this.#known.set(header, chosen);
    return chosen;
  }

  #read(header: string): Negotiated | undefined {
    if (header.trim() === '') return asked(this.newest, OWN_WORD);
    for (const type of acceptedTypes(header)) {
      if (ANYTHING.has(type)) return asked(this.newest, OWN_WORD);
      const other = this.#others.get(type);
      if (other) return asked(other, OWN_WORD);
      const vendor = readVendorType(type);
      const route = vendor && this.routes.find((one) => vendor.version === undefined || one.version === vendor.version);
      if (route) return asked(route, vendor.word);
    }
    return undefined;
  }

  get supported(): readonly string[] {
    return VENDOR_WORDS.flatMap((word) => [
      ...this.routes.map((route) => mediaType(word, route.version ?? 1)),
      `application/vnd.${word.media}+json`,
    ]);
  }
}

/** The media types of an Accept header, best first; those with q=0 are refused by the client. */
export function acceptedTypes(header: string): string[] {
  return header
    .split(',')
    .map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const quality = parameters.map((parameter) => /^q=([\d.]+)$/i.exec(parameter)?.[1]).find((q) => q !== undefined);
      return { type: type.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ type }) => type);
}

function asked(route: Route, word: VendorWord): Negotiated {
  return { route, word, contentType: contentType(word, route.version ?? 1) };
}
