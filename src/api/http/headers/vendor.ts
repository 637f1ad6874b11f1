// The vendor words of media types and headers: a request is answered in the word it used.
export interface VendorWord {
  /** As in `application/vnd.svc.v1+json`. */
  readonly media: string;
  /** As in `X-Svc-API-Deprecated-In`. */
  readonly header: string;
}

export const VENDOR_WORDS: readonly VendorWord[] = [
  { media: 'svc', header: 'Svc' },
  { media: 'go.cd', header: 'GoCD' },
];

export const OWN_VENDOR = VENDOR_WORDS[0]!;

export function mediaType(word: VendorWord, version: number): string {
  return `application/vnd.${word.media}.v${version}+json`;
}

export function contentType(word: VendorWord, version: number): string {
  return `${mediaType(word, version)}; charset=utf-8`;
}

const VENDOR_TYPE = new RegExp(
  `^application/vnd\\.(${VENDOR_WORDS.map((word) => RegExp.escape(word.media)).join('|')})(?:\\.v([1-9]\\d{0,3}))?\\+json$`,
);

/** The vendor word and version in a media type without parameters. */
export function readVendorType(type: string): { readonly word: VendorWord; readonly version: number | undefined } | undefined {
  const match = VENDOR_TYPE.exec(type);
  if (!match) return undefined;
  const word = VENDOR_WORDS.find((one) => one.media === match[1])!;
  return { word, version: match[2] === undefined ? undefined : Number(match[2]) };
}
