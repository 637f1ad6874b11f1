// A history of one file as a bare git repository: one commit for each revision, written in batches and without any other program.
import { type Chunks, type CommitFacts, commitOf, objectId, treeOf } from './objects.ts';
import { OpenPack, type PackOnDisk } from './open-pack.ts';
import { packsIn, removePack, removeUnfinished } from './pack-files.ts';
import { type LastRevision, resumeAfter } from './resume.ts';
import { makeRepository, moveBranch, readBranch } from './skeleton.ts';
import { SupersededPacks } from './superseded-packs.ts';

export interface FileRevision extends Pick<CommitFacts, 'author' | 'time' | 'message'> {
  readonly fileName: string;
  readonly chunks: Chunks;
}

export interface Committed {
  readonly commit: string;
  readonly blob: string;
}

/** A batch that is on disk, but that nobody sees yet. */
export interface Prepared {
  readonly results: readonly Committed[];
  /** Lets everybody see it. */
  publish(): void;
}

interface Last extends LastRevision {
  readonly chunks?: Chunks;
}

/**
 * Who keeps a note elsewhere of what is in the history writes it between `prepare` and `publish`. After a start, and after
 * anything failed, `recover` with the last commit of that note makes the two agree.
 */
export class HistoryRepository {
  readonly directory: string;
  readonly #superseded: SupersededPacks;
  #open = new OpenPack(0);
  /** The open pack as it is on disk. */
  #onDisk: PackOnDisk | undefined;
  #last: Last | undefined;
  #isReady = false;

  constructor(directory: string) {
    this.directory = directory;
    this.#superseded = new SupersededPacks((name) => removePack(directory, name));
  }

  /**
   * Makes this commit the newest, and forgets what came after it. False: that commit is not there, so the history is empty
   * now and has to be written from the beginning. `known` is the content of that commit, for whoever has it at hand.
   */
  recover(lastCommit: string | undefined, known?: Chunks): boolean {
    this.#isReady = false;
    makeRepository(this.directory);
    removeUnfinished(this.directory);
    this.#superseded.forget();
    const resumed = lastCommit === undefined ? undefined : resumeAfter(this.directory, lastCommit, known);
    if (resumed) {
      this.#open = resumed.pack;
      this.#onDisk = resumed.onDisk;
      this.#last = resumed.last;
      if (readBranch(this.directory) !== lastCommit) moveBranch(this.directory, lastCommit);
    } else {
      this.#clear();
    }
    this.#isReady = true;
    return resumed !== undefined || lastCommit === undefined;
  }

  /** When it returns, the revisions are on disk. */
  prepare(revisions: readonly FileRevision[]): Prepared {
    if (!this.#isReady) throw new Error('The history must be recovered first, and the batch before be published.');
    this.#isReady = false;
    const superseded: PackOnDisk[] = [];
    const results = revisions.map((revision) => {
      if (this.#open.isFull) this.#startNextPack(superseded);
      return this.#add(revision);
    });
    this.#write(superseded);
    const publish = () => {
      if (results.length > 0) moveBranch(this.directory, this.#last!.commit);
      for (const { name, bytes } of superseded) this.#superseded.add(name, bytes);
      this.#isReady = true;
    };
    return { results, publish };
  }

  #add({ chunks, fileName, ...facts }: FileRevision): Committed {
    const last = this.#last;
    const blob = last?.file && last.chunks && areSame(last.chunks, chunks) ? last.file.blob : objectId('blob', chunks);
    const isUnchanged = last?.file?.blob === blob && last.file.name === fileName;
    const tree = isUnchanged ? last.tree : this.#addTree(fileName, blob, chunks);
    const content = commitOf({ ...facts, tree, parent: last?.commit });
    const commit = objectId('commit', [content]);
    this.#open.add('commit', commit, content);
    this.#last = { commit, tree, file: { name: fileName, blob }, chunks };
    return { commit, blob };
  }

  #addTree(fileName: string, blob: string, chunks: Chunks): string {
    const content = treeOf(fileName, blob);
    const tree = objectId('tree', [content]);
    this.#open.addBlob(blob, chunks);
    this.#open.add('tree', tree, content);
    return tree;
  }

  #startNextPack(superseded: PackOnDisk[]): void {
    this.#write(superseded);
    this.#open = new OpenPack(this.#open.ordinal + 1);
    this.#onDisk = undefined;
  }

  #write(superseded: PackOnDisk[]): void {
    if (this.#open.isOnDisk) return;
    const written = this.#open.write(this.directory);
    if (this.#onDisk) superseded.push(this.#onDisk);
    this.#onDisk = written;
  }

  #clear(): void {
    moveBranch(this.directory, undefined);
    for (const { name } of packsIn(this.directory)) removePack(this.directory, name);
    this.#open = new OpenPack(0);
    this.#onDisk = undefined;
    this.#last = undefined;
  }
}

function areSame(one: Chunks, other: Chunks): boolean {
  return one === other || (one.length === other.length && one.every((chunk, place) => chunk === other[place]));
}
