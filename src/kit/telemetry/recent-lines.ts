// The last lines of the log, for administrators who look for a cause: the server cannot read back its own standard output.

type Level = 'info' | 'warn' | 'error';

const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 2000;
/** The address of the client does not help to find a cause, and is private. */
const LEFT_OUT: ReadonlySet<string> = new Set(['address']);

interface Line {
  readonly level: Level;
  readonly time: number;
  readonly facts: object;
  readonly message: string;
}

export class RecentLines {
  readonly #lines: Line[] = [];
  #next = 0;

  /** Turned into text only when `all` is called: every change makes a line. Facts must not change afterwards. */
  add(level: Level, facts: object, message: string): void {
    this.#lines[this.#next] = { level, time: Date.now(), facts, message };
    this.#next = (this.#next + 1) % MAX_LINES;
  }

  /** The oldest first. */
  all(): readonly string[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)].map(textOf);
  }
}

function textOf({ level, time, facts, message }: Line): string {
  const shown = Object.fromEntries(
    Object.entries(facts)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, value]) => [name, value instanceof Error ? describe(value) : value]),
  );
  const line = JSON.stringify({ level, time: new Date(time).toISOString(), ...shown, msg: message });
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
}

function describe({ name, message, stack }: Error): object {
  return { type: name, message, stack };
}
