// Something that somebody can correct, told in the same way wherever it is told.
import type { FileProblem } from '../contracts/plugins/config-repo.ts';
import type { PathProblem } from './files/contract.ts';
import { hintFor, specialHint } from './hints.ts';

/** If it is known where. */
export type Mistake = Pick<FileProblem, 'message'> & { readonly [M in keyof FileProblem]?: FileProblem[M] | undefined };

export interface ToldMistake {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly entity: string | null;
  readonly message: string;
  readonly hint: string;
}

export function toldMistake({ file, line, column, entity, message, hint }: Mistake): ToldMistake {
  return {
    file: file || null,
    line: line ?? null,
    column: column ?? null,
    entity: entity ?? null,
    message,
    hint: hint ?? hintFor({ message, file, entity }),
  };
}

/** That there is nothing to read is a mistake more often than not. */
export function nothingMatches(patterns: string): Mistake {
  return { message: `No file matches ${patterns}.`, hint: 'Rename the files, or set other patterns in the configuration of the repo.' };
}

/** The repository could not be reached, or not be read: the words are those of the program that tried. */
export function notReached(message: string): Mistake {
  return {
    message,
    hint: specialHint(message) ?? 'Check the address, the branch and the credentials of the config repo, and that the server reaches it.',
  };
}

/** Something that was passed over on the way to the files. */
export function passedOver({ path, message }: PathProblem): Mistake {
  return { file: path, message };
}
