// Where fetched files go: below the folder of the pipeline, and nowhere else. Folders are made as they are needed.
import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { destinationIn, isWithin, staysBelow } from '../../task/contained-paths.ts';
import { type ArtifactContext, ArtifactFailure } from '../context.ts';
import { mustNotControl } from './control-folders.ts';

/** Maximum number of targets that are remembered: looking again costs little. */
const MAX_KNOWN = 10_000;

export class Targets {
  readonly #root: string;
  readonly #checkouts: readonly string[];
  /** Below which everything goes. */
  readonly base: string;
  /** Folders that are there, and that are where their names say. */
  readonly #known = new Set<string>();

  constructor({ pipelineFolder, checkouts }: Pick<ArtifactContext, 'pipelineFolder' | 'checkouts'>, destination: string) {
    this.#root = realpathSync(pipelineFolder);
    this.#checkouts = checkouts.map((folder) => join(this.#root, folder));
    this.base = destinationIn(this.#root, destination);
  }

  /** In a folder that is there; where it is to lie there is nothing that it cannot replace. */
  file(path: string): string {
    const target = this.#below(path);
    this.#make(dirname(target));
    if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory())
      throw new ArtifactFailure(`${target} is in the way: it is a folder, and a file is to be fetched there.`);
    return target;
  }

  folder(path: string): void {
    this.#make(this.#below(path));
  }

  #below(path: string): string {
    const isPlain = path !== '' && staysBelow(path) && !path.includes('\0') && !path.split('/').includes('..');
    if (!isPlain) throw new ArtifactFailure(`The server names a file that would lie outside of the destination: ${path}`);
    const target = join(this.base, path);
    mustNotControl(this.#root, this.#checkouts, target);
    return target;
  }

  #make(folder: string): void {
    if (folder === this.#root || this.#known.has(folder)) return;
    this.#make(dirname(folder));
    const there = lstatSync(folder, { throwIfNoEntry: false });
    if (there === undefined) mkdirSync(folder);
    else if (there.isSymbolicLink()) this.#checkLink(folder);
    else if (!there.isDirectory()) throw new ArtifactFailure(`${folder} is in the way: it is a file, and a folder is to be fetched there.`);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(folder);
  }

  #checkLink(folder: string): void {
    const target = statSync(folder, { throwIfNoEntry: false });
    if (target?.isDirectory() !== true)
      throw new ArtifactFailure(`${folder} is in the way: it is a link, and a folder is to be fetched there.`);
    const real = realpathSync(folder);
    if (!isWithin(this.#root, real))
      throw new ArtifactFailure(`${folder} is a link that leads outside of the folder of the pipeline: nothing is fetched into it.`);
    mustNotControl(this.#root, this.#checkouts, real);
  }
}
