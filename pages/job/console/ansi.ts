// Colours that programs print: the escape sequences of terminals become pieces of text with a style. Nothing else of them has an effect.

export interface Piece {
  readonly text: string;
  /** Of the 16 colours of a terminal, by number. */
  readonly colour?: number;
  readonly background?: number;
  readonly isBold?: boolean;
  readonly isFaint?: boolean;
  readonly isUnderlined?: boolean;
}

type Style = Omit<Piece, 'text'>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the character that begins such a sequence
const SEQUENCE = /\x1b(?:\[([\d;:]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: other control characters are not shown
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;

export function piecesOf(line: string): Piece[] {
  // A carriage return overwrites the line: a terminal would show only the last part.
  const text = line.replace(/\r+$/, '').replace(/^.*\r/s, '');
  if (!text.includes('\u001b')) return [{ text: text.replace(CONTROLS, '') }];
  const pieces: Piece[] = [];
  let style: Style = {};
  let at = 0;
  const push = (end: number): void => {
    const shown = text.slice(at, end).replace(CONTROLS, '');
    if (shown !== '') pieces.push({ text: shown, ...style });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    push(match.index);
    at = match.index + match[0].length;
    if (match[2] === 'm') style = styleAfter(style, match[1] ?? '');
  }
  push(text.length);
  return pieces;
}

function styleAfter(style: Style, codes: string): Style {
  const numbers = codes.split(/[;:]/).map((code) => Number(code || '0'));
  let next = style;
  for (let index = 0; index < numbers.length; index++) {
    const code = numbers[index]!;
    if (code === 38 || code === 48) {
      // 38;5;n and 38;2;r;g;b: of the 256 colours the first 16 are kept, the others are left as they are.
      const isIndexed = numbers[index + 1] === 5;
      const colour = isIndexed ? numbers[index + 2]! : -1;
      if (colour >= 0 && colour < 16) next = { ...next, [code === 38 ? 'colour' : 'background']: colour };
      index += isIndexed ? 2 : 4;
    } else next = simpleStyle(next, code);
  }
  return next;
}

function simpleStyle(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isFaint: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 22) return { ...style, isBold: false, isFaint: false };
  if (code === 24) return { ...style, isUnderlined: false };
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code === 39) return { ...style, colour: undefined };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code === 49) return { ...style, background: undefined };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 82 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return style;
}
