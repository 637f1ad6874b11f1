// Single values as files write them: all of them are texts until the model asks for a number or a flag.
import type { Tree } from '../../kit/tree/tree.ts';

const KINDS = { text: 'a text', list: 'a list', dict: 'a map' } as const;
const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const MINUTES = /^(\S+) minutes$/;
/** Stands for a value that is known only with the parameters of the pipeline. */
const PARAMETER = /#\{[^}#]*\}/;

export function flagIn(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** A whole number, also one that is written `5.0`. */
export function numberIn(text: string): number | undefined {
  const number = decimalIn(text);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Any number of them, where it is written as a text: `7.5 minutes`. */
export function minutesIn(text: string): number | undefined {
  const number = MINUTES.exec(text)?.[1];
  return number === undefined ? undefined : decimalIn(number);
}

/** As the format has them: whole ones as a number. */
export function writtenMinutes(minutes: number): number | string {
  return Number.isSafeInteger(minutes) ? minutes : `${minutes} minutes`;
}

function decimalIn(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

export function usesParameter(text: string): boolean {
  return PARAMETER.test(text);
}

export function wrongKind(field: string, expected: string, { kind }: Tree): string {
  return `Expected ${expected} in field ${field}, got ${KINDS[kind]}.`;
}
