// Whether a pattern with signs for any run of things matches a list of things. No pattern and no list can make it slow, as they could a regular expression.

/** `any` stands for any run; when the pattern after it does not fit, the run is made longer. Only the last such run is tried again. */
export function runMatches<T>(pattern: ArrayLike<T>, subject: ArrayLike<T>, any: T, matches: (one: T, other: T) => boolean): boolean {
  let at = 0;
  let here = 0;
  let retryAt = -1;
  let retryHere = 0;
  while (here < subject.length) {
    if (at < pattern.length && pattern[at] === any) {
      retryAt = ++at;
      retryHere = here;
    } else if (at < pattern.length && matches(pattern[at]!, subject[here]!)) {
      at++;
      here++;
    } else if (retryAt >= 0) {
      at = retryAt;
      here = ++retryHere;
    } else return false;
  }
  while (at < pattern.length && pattern[at] === any) at++;
  return at === pattern.length;
}

/** A character of a pattern, of which `?` stands for any, and one of a text. */
export function characterMatches(sign: string, character: string): boolean {
  return sign === '?' || sign === character;
}
