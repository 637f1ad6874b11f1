// How messages name the files of config repos in which something is defined.

export interface FileInRepo {
  /** The id of the config repo. */
  readonly repo: string;
  /** From the root of the repository. */
  readonly file: string;
}

/** Maximum number of files that are named: users would not read more. */
const MAX_NAMED = 5;

/** `the file a.yaml of the config repo 'one' and the file b.yaml of the config repo 'two'` */
export function filesText(files: Iterable<FileInRepo>): string {
  const names = [...new Set(Array.from(files, ({ repo, file }) => `the file ${file} of the config repo '${repo}'`))];
  const rest = names.length - MAX_NAMED;
  const shownNames = rest > 0 ? [...names.slice(0, MAX_NAMED), rest === 1 ? 'another one' : `${rest} others`] : names;
  return shownNames.length < 2 ? shownNames.join() : `${shownNames.slice(0, -1).join(', ')} and ${shownNames.at(-1)}`;
}

/** Adds a sentence that begins with `begin` and ends with the files; without files the message stays as it is. */
export function withFiles(message: string, begin: string, files: readonly FileInRepo[]): string {
  if (files.length === 0) return message;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${begin} ${filesText(files)}.`;
}
