// Checks the branch or commit that a caller asks for. It becomes an argument of a command and part of a refspec, and must be nothing else.

export type RequestedRef = { readonly commit: string } | { readonly ref: string };

const MAX_CHARACTERS = 250;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** Characters and sequences that git allows in no part of a ref. */
const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$/;

/** undefined: it can be neither. A name that begins with `refs/` is meant as it is, any other one is a branch. */
export function requestedRef(text: string): RequestedRef | undefined {
  if (COMMIT.test(text)) return { commit: text.toLowerCase() };
  if (text === '' || text === '@' || text.length > MAX_CHARACTERS || text.startsWith('-') || FORBIDDEN.test(text)) return undefined;
  const isWhole = text.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.startsWith('-') && !part.endsWith('.lock'));
  if (!isWhole) return undefined;
  return { ref: text.startsWith('refs/') ? text : `refs/heads/${text}` };
}
