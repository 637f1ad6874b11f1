// The message of a test that failed or was skipped, and its trace.
import { cut } from '../cut-text.ts';
import { MAX_MESSAGE, MAX_TRACE } from '../limits.ts';

export interface FailureText {
  readonly message: string | null;
  readonly trace: string | null;
}

/** Without a message of its own the first line of the trace is one. */
export function failureText(message: string | undefined, trace: string | undefined, otherwise?: string): FailureText {
  const short = message?.trim() || firstLine(trace) || otherwise?.trim() || undefined;
  return { message: short === undefined ? null : cut(short, MAX_MESSAGE), trace: trace === undefined ? null : cut(trace, MAX_TRACE) };
}

function firstLine(text: string | undefined): string | undefined {
  return text?.split('\n', 1)[0]?.trim();
}
