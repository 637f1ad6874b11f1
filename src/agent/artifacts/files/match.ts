// Which files and folders a source means, and where each of them will lie.
import { basename, join } from 'node:path';
import { characterMatches, runMatches } from '../../../kit/text/run-matches.ts';
import { ArtifactFailure } from '../context.ts';
import { entryAt, entryIn, leadsBack } from './entry.ts';
import { nameBelow, type Search } from './search.ts';
import type { Source } from './source.ts';

const MAX_MATCHES = 500_000;

export interface Match {
  readonly kind: 'file' | 'folder';
  readonly real: string;
  /** From the folder of the pipeline, for people. */
  readonly name: string;
  /** Below the destination: the part of the path that the wildcards have matched, so that no other match decides where it lies. */
  readonly path: string;
}

/** In the order of their names. None: nothing was found. */
export async function matchesOf(source: Source, search: Search, mostMatches = MAX_MATCHES): Promise<readonly Match[]> {
  const name = source.fixed.join('/');
  const start = await entryAt(search.root, join(search.root, ...source.fixed), name || '.');
  if (start === undefined) return [];
  if (start.kind === 'skipped') {
    search.skip(name, start.reason);
    return [];
  }
  if (source.pattern.length === 0) return [{ kind: start.kind, real: start.real, name: name || '.', path: basename(name || search.root) }];
  if (start.kind === 'file') return [];
  const found: Match[] = [];
  for await (const one of matching(source.pattern, { real: start.real, name }, search)) {
    if (found.push(one) > mostMatches)
      throw new ArtifactFailure(`The source "${source.text}" matches more than ${mostMatches} files: name a folder that holds them.`);
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

interface Folder {
  readonly real: string;
  readonly name: string;
  readonly path: string;
  /** Which parts of the pattern may come next. */
  readonly states: ReadonlySet<number>;
  readonly parent: Folder | undefined;
}

async function* matching(pattern: readonly string[], start: { real: string; name: string }, search: Search): AsyncGenerator<Match> {
  const steps = new Steps(pattern);
  const waiting: Folder[] = [{ ...start, path: '', states: steps.first, parent: undefined }];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    for await (const dirent of search.entriesOf(folder.real, folder.name)) {
      const states = steps.after(folder.states, dirent.name);
      if (states.size === 0) continue;
      const [name, path] = [nameBelow(folder.name, dirent.name), nameBelow(folder.path, dirent.name)];
      const isMatch = states.has(pattern.length);
      const entry = await entryIn(search.root, folder.real, dirent, name);
      if (entry.kind === 'skipped') {
        // Only a skipped entry that matches is reported.
        if (isMatch) search.skip(name, entry.reason);
      } else if (isMatch) yield { kind: entry.kind, real: entry.real, name, path };
      else if (entry.kind === 'folder' && !leadsBack(entry, folder)) waiting.push({ real: entry.real, name, path, states, parent: folder });
    }
  }
}

/** A pattern, part by part. No pattern makes it slow: each part is tried once for each name. */
class Steps {
  readonly #parts: readonly (readonly string[])[];
  readonly first: ReadonlySet<number>;

  constructor(pattern: readonly string[]) {
    this.#parts = pattern.map((part) => Array.from(part));
    this.first = this.#withSkipped(new Set([0]));
  }

  /** Which parts come next after this name; the number of parts itself: the pattern has matched. */
  after(states: ReadonlySet<number>, name: string): ReadonlySet<number> {
    const characters = Array.from(name);
    const next = new Set<number>();
    for (const state of states) {
      const part = this.#parts[state];
      if (part === undefined) continue;
      if (isAnyParts(part)) next.add(state);
      else if (runMatches(part, characters, '*', characterMatches)) next.add(state + 1);
    }
    return this.#withSkipped(next);
  }

  /** `**` can stand for nothing. */
  #withSkipped(states: Set<number>): ReadonlySet<number> {
    for (const state of states) if (isAnyParts(this.#parts[state])) states.add(state + 1);
    return states;
  }
}

function isAnyParts(part: readonly string[] | undefined): boolean {
  return part?.length === 2 && part[0] === '*' && part[1] === '*';
}
