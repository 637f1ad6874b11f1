// An address as documents have it: cipher text of all of it, escaped, stands in the place of its password.

const SEALED = /(?<=[:/\\])v[12]%3[Aa][^/\\?#@:\s]*(?=@)/;

export interface SealedAddress {
  readonly cipherText: string;
  /** The text in front of the cipher text, and after it. */
  readonly before: string;
  readonly after: string;
}

/** undefined: no such address. */
export function sealedAddress(text: string): SealedAddress | undefined {
  const found = SEALED.exec(text);
  if (!found) return undefined;
  const [sealed] = found;
  return { cipherText: decoded(sealed), before: text.slice(0, found.index), after: text.slice(found.index + sealed.length) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // escaped by halves: no cipher text, which is reported beside the field
  }
}
