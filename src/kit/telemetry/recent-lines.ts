// The last lines of the log, for whoever looks for the cause of something: the log itself goes to standard output, and from there who knows where.

type Level = 'info' | 'warn' | 'error';

const MOST_LINES = 1000;
const LONGEST_LINE = 2000;
/** Who asked is no help, and nobody else's business. */
const LEFT_OUT: ReadonlySet<string> = new Set(['address']);

export class RecentLines {
  readonly #lines: string[] = [];
  #next = 0;

  add(level: Level, facts: object, message: string): void {
    const shown = Object.fromEntries(
      Object.entries(facts)
        .filter(([name]) => !LEFT_OUT.has(name))
        .map(([name, value]) => [name, value instanceof Error ? describe(value) : value]),
    );
    const line = JSON.stringify({ level, time: new Date().toISOString(), ...shown, msg: message });
    this.#lines[this.#next] = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
    this.#next = (this.#next + 1) % MOST_LINES;
  }

  /** The oldest first. */
  all(): readonly string[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
  }
}

function describe({ name, message, stack }: Error): object {
  return { type: name, message, stack };
}
