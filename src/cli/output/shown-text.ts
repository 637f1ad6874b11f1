// Texts of other users as a terminal may show them: they must not move the cursor, erase a line or reverse the order of letters.
import { stripVTControlCharacters } from 'node:util';

/** Line breaks and tabs stay. */
const MISLEADING = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const CONTROL = /(?![\n\t])\p{Cc}/gu;
const ESCAPE = '\u001b';
/** A sequence that sets a colour, or a weight. */
const COLOUR = new RegExp(`(${ESCAPE}\\[[\\d;:]*m)`, 'u');
const NO_COLOUR = `${ESCAPE}[0m`;

export function shownText(text: string): string {
  return text.replaceAll(MISLEADING, (character) => `\\u{${character.codePointAt(0)!.toString(16).padStart(4, '0')}}`);
}

/** Text that a command has coloured, made safe to show. Colours end with their line. */
export function shownWithColours(text: string): string {
  return text.split('\n').map(shownLine).join('\n');
}

function shownLine(line: string): string {
  const parts = line.split(COLOUR);
  const shown = parts.map((part, index) => (index % 2 === 1 ? part : shownText(part))).join('');
  return parts.length > 1 && !shown.endsWith(NO_COLOUR) ? `${shown}${NO_COLOUR}` : shown;
}

/** Output of a program, line by line: of its control sequences only colours are left, and they end with the line. */
export function colouredLines(text: string): string {
  return text.split('\n').map(colouredLine).join('\n');
}

function colouredLine(line: string): string {
  const parts = line.split(COLOUR);
  const shown = parts.map((part, index) => (index % 2 === 1 ? part : stripVTControlCharacters(part).replaceAll(CONTROL, '')));
  return parts.length > 1 ? `${shown.join('')}${NO_COLOUR}` : shown.join('');
}
