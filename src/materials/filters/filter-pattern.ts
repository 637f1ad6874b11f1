// One pattern of a filter. Names are matched in a single pass: neither patterns nor names can make it slow, as they could a regular expression.

/** `*` stays within one part of a path, `**` as a part of its own goes over any number of whole parts; all else is literal. */
type Token = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'star' | 'parts' };

/** Where names begin with a slash, a pattern does, too. */
export type NameStyle = 'plain' | 'slash';

export class FilterPattern {
  readonly #tokens: readonly Token[];

  constructor(pattern: string, style: NameStyle) {
    this.#tokens = tokensOf(pattern, style);
  }

  /** Whether the whole name matches. */
  matches(name: string): boolean {
    const text = name.replaceAll('\\', '/');
    let positions = new Set([0]);
    for (const token of this.#tokens) {
      positions = after(token, positions, text);
      if (positions.size === 0) return false;
    }
    return positions.has(text.length);
  }
}

/** The steps of GoCD, for parts instead of a regular expression. */
function tokensOf(pattern: string, style: NameStyle): readonly Token[] {
  const parts = pattern.replaceAll('\\', '/').split('/');
  while (parts.at(-1) === '') parts.pop();
  const tokens: Token[] = parts.flatMap((part): Token[] => (part === '**' ? [{ kind: 'parts' }] : [...starsIn(part), textOf('/')]));
  const last = tokens.at(-1);
  if (last?.kind === 'text') tokens.pop(); // the slash after the last part
  const first = tokens[0];
  const hasSlash = first?.kind === 'text' && first.text === '/';
  if (style === 'plain' && hasSlash) tokens.shift();
  if (style === 'slash' && !hasSlash) tokens.unshift(textOf('/'));
  return tokens;
}

function starsIn(part: string): Token[] {
  return part
    .split(/(\*+)/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece.startsWith('*') ? { kind: 'star' } : textOf(piece)));
}

function textOf(text: string): Token {
  return { kind: 'text', text };
}

/** Where in the name the match may stand after this token, when it may stand at any of these before it. */
function after(token: Token, positions: ReadonlySet<number>, name: string): Set<number> {
  const next = new Set<number>();
  if (token.kind === 'text') {
    for (const at of positions) if (name.startsWith(token.text, at)) next.add(at + token.text.length);
    return next;
  }
  const first = Math.min(...positions);
  let isReached = false;
  for (let at = first; at <= name.length; at++) {
    if (token.kind === 'star') {
      isReached = positions.has(at) || (isReached && name[at - 1] !== '/');
      if (isReached) next.add(at);
    } else if (positions.has(at) || (at > first && name[at - 1] === '/')) next.add(at);
  }
  return next;
}
