// The files of a revision in any kind of repository: their changes and their contents, within the limits.
import { MaterialProblem } from '../clients/client.ts';
import { ChosenFiles, chosenOf } from './chosen-files.ts';
import { completeList } from './complete-list.ts';
import type { Choose, FileChanges, FileContent, PathProblem, RepoFile, RevisionFiles } from './contract.ts';
import { comparableRevision, cursorOf } from './cursor.ts';
import { limitProblem, MAX_BYTES_IN_ALL, MAX_FILE_BYTES, tooLargeMessage } from './limits.ts';
import { type FileSource, ownBytes } from './source.ts';

export class SourceFiles implements RevisionFiles {
  readonly #source: FileSource;

  constructor(source: FileSource) {
    this.#source = source;
  }

  get revision(): string {
    return this.#source.revision;
  }

  async changes(since: string | undefined, choose: Choose): Promise<FileChanges> {
    const before = comparableRevision(since);
    const different = before === undefined ? undefined : await this.#changesSince(before, choose);
    if (different) return different;
    try {
      return await completeList(this.#source, choose);
    } catch (failure) {
      if (!(await this.#source.repair?.(failure))) throw failure;
      return completeList(this.#source, choose);
    }
  }

  async *read(files: readonly RepoFile[]): AsyncGenerator<FileContent | PathProblem, void> {
    const paths = Map.groupBy(files, ({ from }) => from);
    const entries = [...paths].map(([path, [file]]) => ({ path, id: file!.id }));
    mustNotBeTooMuch(files.length, 0);
    let total = 0;
    for await (const { path: from, size, bytes } of this.#source.contents(entries, MAX_FILE_BYTES)) {
      total += size;
      const asked = paths.get(from) ?? [];
      paths.delete(from);
      if (!bytes && total > MAX_BYTES_IN_ALL) throw new MaterialProblem(tooLargeMessage(from, size));
      mustNotBeTooMuch(0, total);
      for (const [index, { path }] of asked.entries())
        yield bytes ? { path, bytes: ownBytes(bytes, index, asked) } : { path, message: tooLargeMessage(path, size) };
    }
    for (const [path] of paths) throw new MaterialProblem(`${path} cannot be read any more.`);
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }

  async #changesSince(before: string, choose: Choose): Promise<FileChanges | undefined> {
    const { revision } = this.#source;
    const difference = before === revision ? { changed: [], removed: [] } : await this.#source.since(before);
    if (!difference?.changed.every(({ kind }) => kind === 'file')) return undefined;
    const chosenFiles = new ChosenFiles(choose);
    for (const entry of difference.changed) await chosenFiles.add({ path: entry.path, entry });
    const { files, problems } = await chosenFiles.all();
    return {
      isComplete: false,
      changed: files,
      removed: await chosenOf(difference.removed, choose),
      problems,
      notes: [],
      cursor: cursorOf(revision, false),
    };
  }
}

function mustNotBeTooMuch(files: number, bytes: number): void {
  const wrong = limitProblem({ files, bytes });
  if (wrong) throw new MaterialProblem(wrong);
}
