// Collects the chosen ones of many paths, and their problems.
import { pause } from '../../kit/concurrency/time-slices.ts';
import { MaterialProblem } from '../clients/client.ts';
import type { Choose, PathProblem, RepoFile } from './contract.ts';
import { tooMuch } from './limits.ts';
import { nameProblem } from './path-name.ts';
import type { Entry } from './source.ts';

/** A path with its entry, or why nothing can be read there. */
export type Offer = { readonly path: string; readonly entry: Entry } | PathProblem;

/** `choose` may take a while for each path, and requests wait meanwhile. */
const AT_ONCE = 2000;

/** Which of many paths are chosen. */
export async function chosenOf(paths: readonly string[], choose: Choose): Promise<string[]> {
  const chosen: string[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    chosen.push(...(await choose(paths.slice(at, at + AT_ONCE))));
    await pause();
  }
  return chosen;
}

export class Picked {
  readonly #choose: Choose;
  readonly #files: RepoFile[] = [];
  readonly #problems: PathProblem[] = [];
  #offers: Offer[] = [];

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  /** To be waited for, where something is given back. */
  offer(offer: Offer): Promise<void> | undefined {
    this.#offers.push(offer);
    return this.#offers.length >= AT_ONCE ? this.#sift() : undefined;
  }

  async all(): Promise<{ readonly files: readonly RepoFile[]; readonly problems: readonly PathProblem[] }> {
    await this.#sift();
    return { files: this.#files, problems: this.#problems };
  }

  async #sift(): Promise<void> {
    const offers = this.#offers;
    if (offers.length === 0) return;
    this.#offers = [];
    const wanted = new Set(await this.#choose(offers.map(({ path }) => path)));
    for (const offer of offers) if (wanted.has(offer.path)) this.#take(offer);
    const wrong = tooMuch({ files: this.#files.length + this.#problems.length, bytes: 0 });
    if (wrong) throw new MaterialProblem(wrong);
    await pause();
  }

  #take(offer: Offer): void {
    const { path } = offer;
    const message = nameProblem(path) ?? ('message' in offer ? offer.message : undefined);
    if (message !== undefined) this.#problems.push({ path, message });
    else if ('entry' in offer) this.#files.push({ path, id: offer.entry.id, from: offer.entry.path });
  }
}
