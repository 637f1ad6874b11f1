// Patterns of paths: `?` is one character, `*` any run within a part, `**` as a part of its own any number of parts. Letter case counts.
import { characterMatches, runMatches } from './run-matches.ts';

/** No pattern and no path can make it slow, as they could a regular expression. */
export class PathPattern {
  readonly #parts: readonly string[];

  constructor(pattern: string) {
    const parts = partsOf(pattern.replace(/[\\/]$/, '/**'));
    // Several in a row mean the same as one.
    this.#parts = parts.filter((part, index) => part !== '**' || parts[index - 1] !== '**');
  }

  matches(path: string): boolean {
    return runMatches(this.#parts, partsOf(path), '**', partMatches);
  }

  /** Whether a file of this name can match, in any directory. */
  matchesName(name: string): boolean {
    return partMatches(this.#parts.at(-1)!, name);
  }
}

/** The patterns in a text, separated by commas. */
export function pathPatterns(text: string): readonly PathPattern[] {
  return text
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map((pattern) => new PathPattern(pattern));
}

function partsOf(path: string): string[] {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part, index) => part !== '.' && (part !== '' || index === 0));
}

function partMatches(pattern: string, part: string): boolean {
  return runMatches(pattern, part, '*', characterMatches);
}
