// What can go wrong with a program that was run, in words without secrets.

/** It ended, but not well. */
export class CommandFailure extends Error {
  readonly program: string;
  /** null: a signal ended it. */
  readonly exitCode: number | null;
  /** The end of what it complained about. */
  readonly stderr: string;

  constructor(message: string, program: string, exitCode: number | null, stderr: string) {
    super(message);
    this.program = program;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export type StopReason = 'timeout' | 'output' | 'aborted';

/** We ended it. */
export class CommandStopped extends CommandFailure {
  readonly reason: StopReason;

  constructor(message: string, program: string, reason: StopReason, stderr: string) {
    super(message, program, null, stderr);
    this.reason = reason;
  }
}

export class ProgramMissing extends Error {
  readonly program: string;

  constructor(program: string) {
    super(`The program ${program} cannot be found on this server. Install it and see that it is on the PATH of the server.`);
    this.program = program;
  }
}

export function failureOf(program: string, exitCode: number | null, signal: NodeJS.Signals | null, stderr: string): CommandFailure {
  const how = exitCode === null ? `was ended by ${signal}` : `ended with status ${exitCode}`;
  return new CommandFailure(`${program} ${how}${stderr === '' ? '.' : `: ${stderr}`}`, program, exitCode, stderr);
}
