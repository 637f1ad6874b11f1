// A history of one file as a bare git repository: one commit for each revision, written in batches and without any other program.
import { syncDirectory } from '../bytes/durable-file.ts';
import { makeBareRepository, moveBranch, prepareBranch, readBranch } from './bare-repository.ts';
import { type Chunks, type CommitFacts, commitOf, objectId, treeOf } from './objects.ts';
import { hiddenWith, packDirectory, packsIn, removePack, removeUnfinished, reveal } from './pack-files.ts';
import { PackSeries, type WrittenPack } from './pack-series.ts';
import { type LastRevision, resumeAfter } from './resume.ts';
import { SupersededPacks } from './superseded-packs.ts';

export interface FileRevision extends Pick<CommitFacts, 'author' | 'time' | 'message'> {
  readonly fileName: string;
  readonly chunks: Chunks;
}

export interface CommittedFile {
  readonly commit: string;
  readonly blob: string;
}

/** A batch that is on disk, but not yet visible to readers. */
export interface PreparedBatch {
  readonly results: readonly CommittedFile[];
  /** Makes the batch visible to readers. */
  publish(): void;
}

interface Last extends LastRevision {
  readonly chunks?: Chunks;
}

/**
 * A caller that keeps a record of the history elsewhere writes it between `prepare` and `publish`. After a start, and after
 * anything failed, `recover` with the last commit of that record makes the two agree.
 */
export class HistoryRepository {
  readonly directory: string;
  readonly #superseded: SupersededPacks;
  #series: PackSeries;
  #last: Last | undefined;
  #isReady = false;

  /** `stayMs`: how long packs stay that others have replaced. */
  constructor(directory: string, { stayMs }: { readonly stayMs?: number } = {}) {
    this.directory = directory;
    this.#superseded = new SupersededPacks(directory, stayMs);
    this.#series = new PackSeries(directory, 0);
  }

  /**
   * Makes this commit the newest, and forgets all later ones. False: that commit is not there, so the history is empty
   * now and has to be written from the beginning. `known` is the content of that commit, if the caller has it at hand.
   */
  recover(lastCommit: string | undefined, known?: Chunks): boolean {
    this.#isReady = false;
    makeBareRepository(this.directory);
    if (lastCommit !== undefined) reveal(this.directory, hiddenWith(this.directory, lastCommit));
    removeUnfinished(this.directory);
    syncDirectory(packDirectory(this.directory));
    const resumed = lastCommit === undefined ? undefined : resumeAfter(this.directory, lastCommit, known);
    if (resumed) {
      this.#series = resumed.series;
      this.#last = resumed.last;
      this.#superseded.reset(resumed.replaced);
      if (readBranch(this.directory) !== lastCommit) moveBranch(this.directory, lastCommit);
    } else {
      this.#clear();
    }
    this.#isReady = true;
    return resumed !== undefined || lastCommit === undefined;
  }

  /** When it returns, the revisions are on disk, and hidden. */
  prepare(revisions: readonly FileRevision[]): PreparedBatch {
    if (!this.#isReady) throw new Error('The history must be recovered first, and the batch before be published.');
    this.#isReady = false;
    const written: (WrittenPack | undefined)[] = [];
    const results = revisions.map((revision) => {
      if (this.#series.isFull) {
        written.push(this.#series.write({ asOne: true }));
        this.#series = new PackSeries(this.directory, this.#series.ordinal + 1);
      }
      return this.#add(revision);
    });
    written.push(this.#series.write());
    const packs = written.filter((pack) => pack !== undefined);
    const publish = () => {
      if (results.length > 0) this.#publish(packs);
      this.#isReady = true;
    };
    return { results, publish };
  }

  /** Leaves as few packs behind as possible, for a writer that pauses for a while. */
  putTogether(): void {
    if (!this.#isReady) return;
    const pack = this.#series.write({ asOne: true });
    if (pack) this.#publish([pack]);
  }

  /** Packs and branch change so quickly after one another that hardly any reader sees the one without the other. */
  #publish(packs: readonly WrittenPack[]): void {
    const move = prepareBranch(this.directory, this.#last!.commit);
    reveal(
      this.directory,
      packs.map(({ name }) => name),
    );
    move();
    syncDirectory(packDirectory(this.directory));
    for (const { replaced } of packs) for (const name of replaced) this.#superseded.add(name);
  }

  #add({ chunks, fileName, ...facts }: FileRevision): CommittedFile {
    const last = this.#last;
    const blob = last?.file && last.chunks && areSame(last.chunks, chunks) ? last.file.blob : objectId('blob', chunks);
    const isUnchanged = last?.file?.blob === blob && last.file.name === fileName;
    const tree = isUnchanged ? last.tree : this.#addTree(fileName, blob, chunks);
    const content = commitOf({ ...facts, tree, parent: last?.commit });
    const commit = objectId('commit', [content]);
    this.#series.add('commit', commit, content);
    this.#last = { commit, tree, file: { name: fileName, blob }, chunks };
    return { commit, blob };
  }

  #addTree(fileName: string, blob: string, chunks: Chunks): string {
    const content = treeOf(fileName, blob);
    const tree = objectId('tree', [content]);
    this.#series.addBlob(blob, chunks);
    this.#series.add('tree', tree, content);
    return tree;
  }

  #clear(): void {
    moveBranch(this.directory, undefined);
    this.#superseded.forget();
    for (const { name } of packsIn(this.directory)) removePack(this.directory, name);
    this.#series = new PackSeries(this.directory, 0);
    this.#last = undefined;
  }
}

function areSame(one: Chunks, other: Chunks): boolean {
  return one === other || (one.length === other.length && one.every((chunk, index) => chunk === other[index]));
}
