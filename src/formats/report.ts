// Collects the problems and warnings of one file, each with its line.
import type { FileProblem } from '../contracts/plugins/config-repo.ts';
import type { Lines, Position } from '../kit/tree/lines.ts';

/** More would not help the reader. */
const MAX_REPORTED = 200;
/** Names in messages come from the file, and can be as long as it. */
const MAX_MESSAGE_LENGTH = 1000;
export const START: Position = { line: 1, column: 1 };

export interface ReportContext {
  readonly entity?: string | undefined;
  /** Absent: the file. */
  readonly location?: string | undefined;
  readonly hint?: string | undefined;
}

/** The names of a notation that differ from those of the model, by the names of the model. */
export type OwnNames = Readonly<Record<string, string>>;

export class Report {
  readonly file: string;
  readonly problems: FileProblem[] = [];
  readonly warnings: FileProblem[] = [];
  readonly #lines: Lines | undefined;
  readonly #ownNames: OwnNames;
  /** A place that is read in several ways is reported once. */
  readonly #reported = new Set<string>();
  #silentOffsets: ReadonlySet<number> = new Set();

  /** Without lines everything is reported at the beginning of the file. */
  constructor(file: string, lines?: Lines, ownNames: OwnNames = {}) {
    this.file = file;
    this.#ownNames = ownNames;
    this.#lines = lines;
  }

  position(at: number): Position {
    return this.#lines?.position(at) ?? START;
  }

  /** The name that a field of the model has in the notation of the file. */
  nameOf(field: string): string {
    return this.#ownNames[field] ?? field;
  }

  /** Problems at these offsets are not reported, because they have been reported in other words. */
  silentAt(offsets: ReadonlySet<number>, work: () => void): void {
    this.#silentOffsets = offsets;
    try {
      work();
    } finally {
      this.#silentOffsets = new Set();
    }
  }

  problem(at: number, message: string, about: ReportContext = {}): void {
    if (!this.#silentOffsets.has(at)) this.#add(this.problems, at, message, about);
  }

  warning(at: number, message: string, about: ReportContext = {}): void {
    this.#add(this.warnings, at, message, about);
  }

  #add(to: FileProblem[], at: number, message: string, { entity, location = this.file, hint }: ReportContext): void {
    if (to.length >= MAX_REPORTED) return;
    const key = `${at}\n${location}\n${message}`;
    if (this.#reported.size === this.#reported.add(key).size) return;
    const { line, column } = this.position(at);
    to.push({
      file: this.file,
      line,
      column,
      entity: shortened(entity),
      location: shortened(location),
      message: shortened(message),
      hint: shortened(hint),
    });
  }
}

function shortened<T extends string | undefined>(text: T): T {
  return text !== undefined && text.length > MAX_MESSAGE_LENGTH ? (`${text.slice(0, MAX_MESSAGE_LENGTH)}…` as T) : text;
}
