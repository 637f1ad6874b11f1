// Names with wildcards: `*` is any run of characters, `?` exactly one; letter case does not count.
const compiled = new Map<string, RegExp>();
const MOST_REMEMBERED = 10_000;

export function matchesWildcard(pattern: string, name: string): boolean {
  let expression = compiled.get(pattern);
  if (!expression) {
    if (compiled.size >= MOST_REMEMBERED) compiled.clear();
    // Runs of stars mean the same as one, and must not make the match slow.
    const source = pattern
      .replace(/\*+/g, '*')
      .split(/([*?])/)
      .map((part) => (part === '*' ? '[^]*' : part === '?' ? '[^]' : RegExp.escape(part)));
    expression = new RegExp(`^${source.join('')}$`, 'iu');
    compiled.set(pattern, expression);
  }
  return expression.test(name);
}
