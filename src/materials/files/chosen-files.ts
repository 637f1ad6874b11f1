// Collects the chosen ones of many paths, and their problems.
import { chunksOf } from '../../kit/chunks.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { MaterialProblem } from '../clients/client.ts';
import type { Choose, PathProblem, RepoFile } from './contract.ts';
import { limitProblem } from './limits.ts';
import { nameProblem } from './path-name.ts';
import type { Entry } from './source.ts';

/** A path with its entry, or why nothing can be read there. */
export type Candidate = { readonly path: string; readonly entry: Entry } | PathProblem;

/** Number of paths that `choose` gets at once: it may take a while for each, and requests wait for it. */
const AT_ONCE = 2000;

/** The chosen ones of many paths. */
export async function chosenOf(paths: readonly string[], choose: Choose): Promise<string[]> {
  const chosen: string[] = [];
  for (const some of chunksOf(paths, AT_ONCE)) {
    chosen.push(...(await choose(some)));
    await pause();
  }
  return chosen;
}

export class ChosenFiles {
  readonly #choose: Choose;
  readonly #files: RepoFile[] = [];
  readonly #problems: PathProblem[] = [];
  #candidates: Candidate[] = [];

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  /** To be waited for, where something is given back. */
  add(candidate: Candidate): Promise<void> | undefined {
    this.#candidates.push(candidate);
    return this.#candidates.length >= AT_ONCE ? this.#chooseWaiting() : undefined;
  }

  async all(): Promise<{ readonly files: readonly RepoFile[]; readonly problems: readonly PathProblem[] }> {
    await this.#chooseWaiting();
    return { files: this.#files, problems: this.#problems };
  }

  async #chooseWaiting(): Promise<void> {
    const candidates = this.#candidates;
    if (candidates.length === 0) return;
    this.#candidates = [];
    const wanted = new Set(await this.#choose(candidates.map(({ path }) => path)));
    for (const candidate of candidates) if (wanted.has(candidate.path)) this.#take(candidate);
    const wrong = limitProblem({ files: this.#files.length + this.#problems.length, bytes: 0 });
    if (wrong) throw new MaterialProblem(wrong);
    await pause();
  }

  #take(candidate: Candidate): void {
    const { path } = candidate;
    const message = nameProblem(path) ?? ('message' in candidate ? candidate.message : undefined);
    if (message !== undefined) this.#problems.push({ path, message });
    else if ('entry' in candidate) this.#files.push({ path, id: candidate.entry.id, from: candidate.entry.path });
  }
}
