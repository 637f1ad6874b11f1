// Reads the output of `git log` with the options below, record by record, into modifications.
import type { FileAction, ModifiedFile, NewModification } from '../../clients/client.ts';

/** The fields of each commit before its files. The mark before its revision is a dash for commits at the border of a range. */
const FORMAT = ['%m%H', '%an <%ae>', '%at', '%B'];

/** Parents before children; renames as a file less and a file more; merges without files. */
export const LOG_OPTIONS = [
  '--no-color',
  '--no-decorate',
  '--no-show-signature',
  '--no-renames',
  '--no-ext-diff',
  '--encoding=UTF-8',
  '--date-order',
  '--reverse',
  '--name-status',
  '-z',
  `--format=tformat:${FORMAT.join('%x00')}`,
];
export const LOG_SEPARATOR = '\0';

const STATUS = /^\n?([A-Z])\d*$/;
const ACTIONS: Readonly<Record<string, FileAction>> = { A: 'added', M: 'modified', D: 'deleted' };
const BLANK_LINES = /^(?:[^\S\n]*\n)+/;
const LATEST_TIME = 8.64e15;

const BOUNDARY = '-';

export class LogReader {
  /** Commits at the border of the range, which are not in it. */
  readonly boundary = new Set<string>();
  #head: string[] = [];
  #files: ModifiedFile[] = [];
  #action: FileAction | undefined;

  /** The commits that these records make complete. */
  take(records: readonly string[]): NewModification[] {
    const complete: NewModification[] = [];
    for (const record of records) {
      const status = this.#head.length === FORMAT.length && this.#action === undefined ? STATUS.exec(record) : null;
      if (this.#head.length < FORMAT.length) this.#head.push(record);
      else if (this.#action !== undefined) this.#addFile(record);
      else if (status) this.#action = ACTIONS[status[1]!] ?? 'unknown';
      else {
        complete.push(...this.rest());
        this.#head.push(record);
      }
    }
    return complete;
  }

  /** The last commit, after all records. */
  rest(): NewModification[] {
    if (this.#head.length < FORMAT.length) return [];
    const [marked, author, seconds, message] = this.#head as [string, string, string, string];
    const files = this.#files;
    this.#head = [];
    this.#files = [];
    const revision = marked.slice(1);
    if (marked.startsWith(BOUNDARY)) {
      this.boundary.add(revision);
      return [];
    }
    return [
      {
        revision,
        userName: author.trim(),
        email: null,
        comment: message.replace(BLANK_LINES, '').trimEnd(),
        modifiedTime: timeOf(seconds),
        files,
      },
    ];
  }

  #addFile(name: string): void {
    this.#files.push({ name, action: this.#action! });
    this.#action = undefined;
  }
}

/** Commits can be from any year, or have no time that can be read. */
function timeOf(seconds: string): Date {
  const time = Number(seconds) * 1000;
  return new Date(Math.abs(time) <= LATEST_TIME ? time : 0);
}
