// Errors that users can correct, in the one form in which they are reported.
import type { FileProblem } from '../../contracts/plugins/config-repo.ts';
import { firstThatFit, type Room, truncate } from '../../kit/text/truncate.ts';
import type { PathProblem } from '../../materials/files/contract.ts';
import { hintFor, specialHint } from './hints.ts';

/** If it is known where. */
export type RepoError = Pick<FileProblem, 'message'> & { readonly [M in keyof FileProblem]?: FileProblem[M] | undefined };

export interface ReportedError {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly entity: string | null;
  readonly message: string;
  readonly hint: string;
}

/** Names in it come from files, and can be as long as these. */
export function reportedError(mistake: RepoError): ReportedError {
  const { file, line, column, hint } = mistake;
  const message = truncate(mistake.message);
  const entity = mistake.entity === undefined ? undefined : truncate(mistake.entity);
  return {
    file: file || null,
    line: line ?? null,
    column: column ?? null,
    entity: entity ?? null,
    message,
    hint: truncate(hint ?? hintFor({ message, file, entity })),
  };
}

/** The first ones that have room, and how many others there are. */
export function reportedErrors(mistakes: readonly RepoError[], room: Room): readonly ReportedError[] {
  const charactersOf = ({ entity, message, hint }: ReportedError) => (entity?.length ?? 0) + message.length + hint.length;
  const shown = firstThatFit(mistakes.values().map(reportedError), charactersOf, room);
  const left = mistakes.length - shown.length;
  return left === 0 ? shown : [...shown, reportedError({ message: moreText(left), hint: 'Correct the others first.' })];
}

export function moreText(count: number): string {
  return `${count} more ${count === 1 ? 'is' : 'are'} not shown.`;
}

/** That there is nothing to read is a mistake more often than not. */
export function nothingMatches(patterns: string): RepoError {
  return { message: `No file matches ${patterns}.`, hint: 'Rename the files, or set other patterns in the configuration of the repo.' };
}

/** The repository could not be reached, or not be read: the words are those of the program that tried. */
export function notReached(message: string): RepoError {
  return {
    message,
    hint: specialHint(message) ?? 'Check the address, the branch and the credentials of the config repo, and that the server reaches it.',
  };
}

/** A path that was skipped on the way to the files. */
export function skippedPath({ path, message }: PathProblem): RepoError {
  return { file: path, message };
}
