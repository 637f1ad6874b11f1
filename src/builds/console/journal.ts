// The insertions into a console besides the bytes of the agent that works on the job now: their places and texts. An insertion is in the
// journal before it is in the console, so after a crash it is made again, and the bytes of the agent can always be counted.

export interface Insertion {
  /** Where in the console, in bytes. All bytes before it were on disk then. */
  readonly at: number;
  readonly text: string;
  /** From here on the bytes are those of this assignment of the job. */
  readonly epoch?: number;
  /** With an epoch: when the stage run began whose job it is. */
  readonly since?: number;
  /** The console is as large as it may be: output of the agent from here on is dropped. */
  readonly isFull?: boolean;
}

/** How the bytes of the agent are counted. */
export interface ByteCounting {
  /** undefined: no agent has sent anything yet. */
  readonly epoch: number | undefined;
  /** When the stage run began whose job it is; absent: it was not noted. */
  readonly since?: number;
  /** The number of bytes in the console that are not of this epoch. */
  readonly others: number;
  readonly isFull: boolean;
}

export interface Journal {
  readonly counting: ByteCounting;
  readonly last: Insertion | undefined;
  /** The bytes that are whole entries; a crash may have left part of another one behind them. */
  readonly bytes: number;
}

const NOTHING: ByteCounting = { epoch: undefined, others: 0, isFull: false };

export function withInsertion(counting: ByteCounting, { at, text, epoch, since, isFull = false }: Insertion): ByteCounting {
  const bytes = Buffer.byteLength(text);
  if (epoch !== undefined) return { epoch, ...(since !== undefined && { since }), others: at + bytes, isFull: counting.isFull };
  return { ...counting, others: counting.others + bytes, isFull: counting.isFull || isFull };
}

export function writeEntry(insertion: Insertion): string {
  return `${JSON.stringify(insertion)}\n`;
}

export function readJournal(text: string): Journal {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const entries = whole.split('\n').filter((line) => line !== '');
  const insertions = entries.map((line) => JSON.parse(line) as Insertion);
  return { counting: insertions.reduce(withInsertion, NOTHING), last: insertions.at(-1), bytes: Buffer.byteLength(whole) };
}
