// The log: JSON lines on standard output.
import { pino } from 'pino';

export interface Log {
  /** Some logs take none. */
  debug?(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const STANDARD_OUTPUT = 1;
/** Of lines that are not written yet; more are dropped. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** The lines of this time are written at once: to write one takes longer than to compose it. */
const GATHER_MS = 10;

/** Requests do not wait until a line is written: the disk behind it may be slow, or the program that reads it. */
export function openLog(level: string): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, gathered());
}

function gathered(): pino.DestinationStream {
  const output = standardOutput({ sync: false, maxLength: MAX_WAITING_BYTES });
  let lines = '';
  const hand = (): void => {
    output.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    output.flushSync();
    // The other one would hand them to a thread, which may end before it has written them.
    standardOutput({ sync: true }).write(lines);
  });
  return {
    write: (line) => {
      if (lines === '') setTimeout(hand, GATHER_MS).unref();
      lines += line;
    },
  };
}

function standardOutput(options: { readonly sync: boolean; readonly maxLength?: number }): ReturnType<typeof pino.destination> {
  const output = pino.destination({ dest: STANDARD_OUTPUT, ...options });
  // A line that cannot be written must not end the server: a health message reports a full disk.
  output.on('error', () => {});
  return output;
}
