// Decides whether two names look the same to a reader, though they are made of different characters.

/**
 * Letters of the Cyrillic and Greek alphabets that are drawn as Latin ones, and a few Latin letters drawn as others. Variants of
 * letters (full-width, mathematical, ligatures) need no row: compatibility decomposition removes them. Digits that resemble letters
 * have none on purpose: `user1` and `userl` are two usual names.
 */
const LATIN_BY_LOOK = new Map([
  // Cyrillic
  ...pairs('асеһіјӏорԛѕԝхуԁѵ', 'acehijlopqswxydv'),
  ...pairs('АВСЕНІЈКМОРԚЅТԜХУѴӀ', 'ABCEHIJKMOPQSTWXYVI'),
  // Greek
  ...pairs('αονικρυγϲϳ', 'aovikpuycj'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ', 'ABEZHIKMNOPTYXCJ'),
  // Latin
  ...pairs('ıɑɡʟ', 'iagl'),
]);

/** Equal for names that look the same, regardless of letter case. */
export function skeletonOf(name: string): string {
  // Before and after: some letters of the table decompose, and some come out of letters with accents.
  const decomposed = inLatin(inLatin(name).normalize('NFKD'));
  return decomposed.replace(/\s+/gu, ' ').trim().toLowerCase();
}

function inLatin(text: string): string {
  return Array.from(text, (character) => LATIN_BY_LOOK.get(character) ?? character).join('');
}

function pairs(look: string, latin: string): [string, string][] {
  const letters = [...latin];
  return Array.from(look, (character, index) => [character, letters[index]!]);
}
