// Reads the output of `hg log` with the template below, record by record, into modifications.
import type { FileAction, ModifiedFile, NewModification } from '../../clients/client.ts';

const FIELDS = 4;
/** An empty record ends a changeset: those of files begin with a letter. */
export const LOG_TEMPLATE = [
  '{node}\\0{author}\\0{date|hgdate}\\0{desc}\\0',
  "{file_adds % 'A{file}\\0'}{file_mods % 'M{file}\\0'}{file_dels % 'D{file}\\0'}\\0",
].join('');
export const LOG_SEPARATOR = '\0';

const ACTIONS: Readonly<Record<string, FileAction>> = { A: 'added', M: 'modified', D: 'deleted' };

export class LogReader {
  #head: string[] = [];
  #files: ModifiedFile[] = [];

  /** The changesets that these records make complete. */
  take(records: readonly string[]): NewModification[] {
    const complete: NewModification[] = [];
    for (const record of records) {
      if (this.#head.length < FIELDS) this.#head.push(record);
      else if (record !== '') this.#files.push({ name: record.slice(1), action: ACTIONS[record[0]!] ?? 'unknown' });
      else complete.push(this.#finish());
    }
    return complete;
  }

  #finish(): NewModification {
    const [revision, userName, date, comment] = this.#head as [string, string, string, string];
    const files = this.#files;
    this.#head = [];
    this.#files = [];
    return { revision, userName, email: null, comment, modifiedTime: timeOf(date), files };
  }
}

/** Seconds, then the offset of the zone. */
function timeOf(date: string): Date {
  const time = new Date(Number.parseFloat(date) * 1000);
  return Number.isNaN(time.getTime()) ? new Date(0) : time;
}
