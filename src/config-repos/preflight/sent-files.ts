// Files that a client sends to be checked: only so many, only so large, and only under names that a repository could have.
import type { FormPart } from '../../kit/form/multipart.ts';
import { Refusal } from '../../kit/refusal.ts';
import { MAX_FILE_BYTES, tooLargeMessage } from '../../materials/files/limits.ts';
import { nameProblem } from '../../materials/files/path-name.ts';

/** The contents of the files, by name. */
export type SentFiles = ReadonlyMap<string, Buffer>;

export const FILES_FIELD = 'files[]';
export const MAX_SENT_FILES = 1000;
export const MAX_SENT_BYTES = 20 * 1024 * 1024;
export const MAX_FOLDER_DEPTH = 32;

/** Takes the files out of a form as it is read. The same file may be sent twice, but not two different files under one name. */
export class SentFilesReader {
  readonly #files = new Map<string, Buffer>();
  /** The number of each in the form. */
  readonly #numbers = new Map<string, number>();
  #count = 0;
  #hasNameless = false;

  /** When all have been taken. */
  get files(): SentFiles {
    // The client would take the part without a name for checked, too.
    if (this.#hasNameless && this.#files.size > 0) throw new Refusal('invalid', `A part called ${FILES_FIELD} has no \`filename\`.`);
    return this.#files;
  }

  take({ name, filename, unreadableName, bytes }: FormPart): void {
    if (name !== FILES_FIELD) return;
    if (unreadableName !== undefined) throw new Refusal('invalid', unreadableText(unreadableName));
    if (filename === undefined) {
      this.#hasNameless = true;
      return;
    }
    if (++this.#count > MAX_SENT_FILES) throw new Refusal('tooLarge', `More than ${MAX_SENT_FILES} files were sent in ${FILES_FIELD}.`);
    const problem = sentNameProblem(filename);
    if (problem !== undefined) throw new Refusal('invalid', problem);
    if (bytes.length > MAX_FILE_BYTES) throw new Refusal('tooLarge', tooLargeMessage(filename, bytes.length));
    if (this.#files.get(filename)?.equals(bytes) === false)
      throw new Refusal('invalid', twiceText(filename, [this.#numbers.get(filename)!, this.#count]));
    this.#files.set(filename, bytes);
    this.#numbers.getOrInsert(filename, this.#count);
  }
}

function unreadableText(written: string): string {
  return (
    `The name of a file in ${FILES_FIELD} cannot be read: filename*=${JSON.stringify(written.slice(0, 200))}. ` +
    "Only UTF-8 is understood, percent-encoded: `filename*=UTF-8''ci/%C3%BC.yaml`."
  );
}

function twiceText(name: string, numbers: readonly number[]): string {
  return (
    `The files ${numbers.join(' and ')} in ${FILES_FIELD} are both called ${JSON.stringify(name)}, and differ. ` +
    `Send each with its path: \`--form '${FILES_FIELD}=@ci/a.yaml;filename=ci/a.yaml'\`.`
  );
}

/** The problem with the name of an uploaded file; undefined: none. */
export function sentNameProblem(name: string): string | undefined {
  if (name === '') return `A file in ${FILES_FIELD} has no name.`;
  const shown = JSON.stringify(name.slice(0, 200));
  // Windows would take these for something else than a path from the root of a repository.
  if (/\\|^[A-Za-z]:/.test(name)) return `The path ${shown} has to be written from the root of the repository, with / between its parts.`;
  const folders = name.split('/').length - 1;
  if (folders > MAX_FOLDER_DEPTH) return `The path ${shown} has ${folders} folders; at most ${MAX_FOLDER_DEPTH} are looked into.`;
  return nameProblem(name);
}
