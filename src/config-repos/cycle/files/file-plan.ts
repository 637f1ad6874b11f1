// The stored files of a repo, brought up to date with the changes in it. Pure.
import type { ChosenFile } from '../../../contracts/plugins/config-repo.ts';
import type { FileChanges, RepoFile } from '../../../materials/files/contract.ts';
import type { FileToStore, StoredFile } from '../../../store/config-repos/files.ts';
import { type Outline, unreadable } from '../../parsing/packed.ts';

export interface FilePlan {
  /** The files that stay as they are, by path. */
  readonly kept: ReadonlyMap<string, StoredFile>;
  readonly toRead: readonly (RepoFile & Pick<ChosenFile, 'as'>)[];
  /** The files that cannot be read, as far as that is new. */
  readonly unreadable: readonly FileToStore[];
  /** The paths of the files that are to be forgotten. */
  readonly gone: readonly string[];
}

type Changes = Pick<FileChanges, 'isComplete' | 'changed' | 'removed' | 'problems'>;

/** `readAs`: the form in which the plugin reads each chosen path; `digestOf` returns the stored digest of it. */
export function filePlan(
  known: readonly StoredFile[],
  { isComplete, changed, removed, problems }: Changes,
  readAs: ReadonlyMap<string, string>,
  parser: string,
  digestOf: (as: string) => string,
): FilePlan {
  const before = new Map(known.map((file) => [file.path, file]));
  const kept = new Map(isComplete ? [] : before);
  for (const path of removed) kept.delete(path);
  const toRead: FilePlan['toRead'][number][] = [];
  for (const file of changed) {
    const as = readAs.get(file.path) ?? '';
    const same = before.get(file.path);
    if (same?.contentId === file.id && same.parser === parser && same.readAs === digestOf(as)) kept.set(file.path, same);
    else {
      kept.delete(file.path);
      toRead.push({ ...file, as });
    }
  }
  const bad: FileToStore[] = [];
  for (const { path, message } of problems) {
    const file = unreadableFile(path, message);
    const same = before.get(path);
    if (same?.outline === file.outline) kept.set(path, same);
    else {
      kept.delete(path);
      bad.push(file);
    }
  }
  const there = new Set([...kept.keys(), ...toRead.map(({ path }) => path), ...bad.map(({ path }) => path)]);
  return { kept, toRead, unreadable: bad, gone: known.flatMap(({ path }) => (there.has(path) ? [] : [path])) };
}

function unreadableFile(path: string, message: string): FileToStore {
  return { path, readAs: '', contentId: '', parser: '', ...summaryOf(unreadable(path, message)), parsed: '' };
}

/** The fields that are read when the file itself has not changed. */
export function summaryOf(outline: Outline): Pick<FileToStore, 'version' | 'isReported' | 'outline'> {
  const { version = 0, problems, warnings } = outline;
  return { version, isReported: problems.length + warnings.length > 0, outline: JSON.stringify(outline) };
}
