// The vendors in media types and headers: a request is answered with the vendor it named.
export interface Vendor {
  /** As in `application/vnd.svc.v1+json`. */
  readonly media: string;
  /** As in `X-Svc-API-Deprecated-In`. */
  readonly header: string;
}

export const VENDORS: readonly Vendor[] = [
  { media: 'svc', header: 'Svc' },
  { media: 'go.cd', header: 'GoCD' },
];

export const DEFAULT_VENDOR = VENDORS[0]!;

export function mediaType(vendor: Vendor, version: number): string {
  return `application/vnd.${vendor.media}.v${version}+json`;
}

export function contentType(vendor: Vendor, version: number): string {
  return `${mediaType(vendor, version)}; charset=utf-8`;
}

const VENDOR_TYPE = new RegExp(
  `^application/vnd\\.(${VENDORS.map((vendor) => RegExp.escape(vendor.media)).join('|')})(?:\\.v([1-9]\\d{0,3}))?\\+json$`,
);

/** The vendor and version in a media type without parameters. */
export function readVendorType(type: string): { readonly vendor: Vendor; readonly version: number | undefined } | undefined {
  const match = VENDOR_TYPE.exec(type);
  if (!match) return undefined;
  const vendor = VENDORS.find((one) => one.media === match[1])!;
  return { vendor, version: match[2] === undefined ? undefined : Number(match[2]) };
}
