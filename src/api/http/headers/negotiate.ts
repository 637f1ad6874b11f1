// Finds the route that an Accept header asks for among the versions of one path.
import type { Route } from '../../engine/route.ts';
import { contentType, DEFAULT_VENDOR, mediaType, readVendorType, VENDORS, type Vendor } from './vendor.ts';

export interface NegotiatedRoute {
  readonly route: Route;
  readonly vendor: Vendor;
  /** The version that was asked for, or the newest. */
  readonly version: number | null;
  readonly contentType: string;
}

/** The message for an address, or a version of it, that does not exist. */
export const WRONG_URL = 'The url you are trying to reach appears to be incorrect.';
const WILDCARDS = new Set(['*/*', 'application/*']);
const MAX_REMEMBERED = 100;

/** A version that a route answers. */
interface Offer {
  readonly version: number | null;
  readonly route: Route;
}

/** The versions of one method on one path. */
export class Versions {
  /** Newest first. */
  readonly #offers: readonly Offer[];
  /** The routes for other media types than ours. */
  readonly #others: ReadonlyMap<string, Route>;
  /** Clients send few different headers, so each is read once. */
  readonly #known = new Map<string, NegotiatedRoute | undefined>();

  constructor(routes: readonly Route[]) {
    this.#offers = routes.flatMap(offersOf).toSorted((one, other) => (other.version ?? 0) - (one.version ?? 0));
    this.#others = new Map(routes.flatMap((route) => (route.media === undefined ? [] : [[route.media, route]])));
  }

  get newest(): Route {
    return this.#offers[0]!.route;
  }

  choose(accept: string | undefined): NegotiatedRoute | undefined {
    const header = accept ?? '';
    const known = this.#known.get(header);
    if (known) return known;
    const chosen = this.newest.version === null ? negotiated(this.#offers[0]!, vendorIn(header)) : this.#read(header);
    if (chosen && this.#known.size < MAX_REMEMBERED) this.#known.set(header, chosen);
    return chosen;
  }

  #read(header: string): NegotiatedRoute | undefined {
    if (header.trim() === '') return negotiated(this.#offers[0]!, DEFAULT_VENDOR);
    const { accepted, refused } = acceptedTypes(header);
    for (const type of accepted) {
      if (WILDCARDS.has(type)) return negotiated(this.#newestBut(refused, DEFAULT_VENDOR), DEFAULT_VENDOR);
      const other = this.#others.get(type);
      if (other) return negotiated({ route: other, version: other.version }, DEFAULT_VENDOR);
      const vendorType = readVendorType(type);
      if (vendorType && vendorType.version === undefined) return negotiated(this.#newestBut(refused, vendorType.vendor), vendorType.vendor);
      const offer = vendorType && this.#offers.find(({ version }) => version === vendorType.version);
      if (offer) return negotiated(offer, vendorType.vendor);
    }
    return undefined;
  }

  /** A client that accepts all versions but some gets the newest of the others, if there is one. */
  #newestBut(refused: ReadonlySet<string>, vendor: Vendor): Offer {
    return this.#offers.find(({ version }) => !refused.has(mediaType(vendor, version ?? 1))) ?? this.#offers[0]!;
  }

  get supported(): readonly string[] {
    return VENDORS.flatMap((vendor) => [
      ...this.#offers.map(({ version }) => mediaType(vendor, version ?? 1)),
      `application/vnd.${vendor.media}+json`,
    ]);
  }
}

/** The type of a failure that comes before a route is chosen, or because none can be: in the word that was asked with. */
export function failureType(versions: Versions | undefined, accept = ''): string {
  const chosen = versions?.choose(accept);
  if (chosen) return chosen.contentType;
  return contentType(vendorIn(accept), versions?.newest.version ?? 1);
}

function vendorIn(accept: string): Vendor {
  return acceptedTypes(accept).accepted.flatMap((type) => readVendorType(type)?.vendor ?? [])[0] ?? DEFAULT_VENDOR;
}

interface AcceptedTypes {
  /** Best first. */
  readonly accepted: readonly string[];
  /** Media types with q=0. */
  readonly refused: ReadonlySet<string>;
}

/** The media types of an Accept header. */
export function acceptedTypes(header: string): AcceptedTypes {
  const types = header.split(',').map((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.map((parameter) => /^q=([\d.]+)$/i.exec(parameter)?.[1]).find((q) => q !== undefined);
    return { type: type.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
  });
  const accepted = types.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality);
  return {
    accepted: accepted.map(({ type }) => type),
    refused: new Set(types.filter(({ quality }) => quality === 0).map(({ type }) => type)),
  };
}

function offersOf(route: Route): Offer[] {
  const { version, alsoVersions = [], media } = route;
  return media === undefined ? [version, ...alsoVersions].map((one) => ({ version: one, route })) : [];
}

function negotiated({ route, version }: Offer, vendor: Vendor): NegotiatedRoute {
  return { route, vendor, version, contentType: contentType(vendor, version ?? 1) };
}
