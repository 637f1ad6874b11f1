// Colours that programs print: the escape sequences of terminals become pieces of text with a style. Nothing else of them has an effect.

export interface Piece {
  readonly text: string;
  /** Of the 16 colours of a terminal, by number. */
  readonly colour?: number;
  readonly background?: number;
  readonly isBold?: boolean;
  readonly isFaint?: boolean;
  readonly isUnderlined?: boolean;
  readonly isInverse?: boolean;
  readonly isStruck?: boolean;
}

export type Style = Omit<Piece, 'text'>;

export const PLAIN: Style = {};

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the character that begins such a sequence
const SEQUENCE = /\x1b(?:\[([\d;:]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: other control characters are not shown
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** `before`: the style with which the line begins. */
export function piecesOf(line: string, before = PLAIN): Piece[] {
  const text = line.replace(/\r+$/, '');
  // A carriage return overwrites the line: a terminal would show only the last part, in the style that goes on.
  let at = text.lastIndexOf('\r') + 1;
  if (!text.includes('\u001b')) return [{ text: text.slice(at).replace(CONTROLS, ''), ...before }];
  const pieces: Piece[] = [];
  let style = before;
  const push = (end: number): void => {
    const shown = text.slice(at, end).replace(CONTROLS, '');
    if (shown !== '') pieces.push({ text: shown, ...style });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    push(match.index);
    at = Math.max(at, match.index + match[0].length);
    if (match[2] === 'm') style = styleAfter(style, match[1] ?? '');
  }
  push(text.length);
  return pieces;
}

/** After a sequence with these codes. */
export function styleAfter(style: Style, codes: string): Style {
  const rest = codes.split(';');
  let next = style;
  while (rest.length > 0) {
    const [code, ...own] = numbersOf(rest.shift()!.split(':'));
    if (code === 38 || code === 48 || code === 58) {
      // 38;5;n, 38;2;r;g;b, 38:5:n, 38:2:r:g:b, or 38:2:space:r:g:b. 58 is the colour of an underline, which keeps that of its text.
      const [kind, ...values] = own.length > 0 ? own : numbersOf(rest.splice(0, rest[0] === '5' ? 2 : 4));
      const colour = kind === 5 ? indexedColour(values[0]) : nearestColour(values.length > 3 ? values.slice(1) : values);
      if (colour !== undefined && (kind === 2 || kind === 5) && code !== 58)
        next = { ...next, [code === 38 ? 'colour' : 'background']: colour };
    } else next = simpleStyle(next, code === 4 && own[0] === 0 ? 24 : code!);
  }
  return next;
}

function numbersOf(texts: readonly string[]): number[] {
  return texts.map(Number);
}

/** The one of the 16 colours that stands for one of 256: after the 16 come a cube of 6 × 6 × 6, and 24 greys. */
function indexedColour(index = 0): number | undefined {
  if (index < 16) return index;
  if (index > 255) return undefined;
  if (index > 231) return nearestColour([index - 232, index - 232, index - 232].map((grey) => 8 + grey * 10));
  const cube = index - 16;
  return nearestColour([cube / 36, (cube / 6) % 6, cube % 6].map((part) => (part < 1 ? 0 : 55 + Math.floor(part) * 40)));
}

/** Any colour would be hard to read on light or dark pages. Of the 16, the one with its hue can be read on both. */
function nearestColour(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts;
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const middle = (least + most) / 2;
  if (most - least < 40) return middle < 64 ? 0 : middle < 160 ? 8 : 7;
  return (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
}

function simpleStyle(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isFaint: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 7 || code === 27) return { ...style, isInverse: code === 7 };
  if (code === 9 || code === 29) return { ...style, isStruck: code === 9 };
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
