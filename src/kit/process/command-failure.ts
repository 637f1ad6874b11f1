// The failures of a program that was run, as messages without secrets.
import { existsSync } from 'node:fs';

/** A command that ended, but not well. */
export class CommandFailure extends Error {
  readonly program: string;
  /** null: a signal ended it. */
  readonly exitCode: number | null;
  /** The end of its standard error. */
  readonly stderr: string;

  constructor(message: string, program: string, exitCode: number | null, stderr: string) {
    super(message);
    this.program = program;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export type StopReason = 'timeout' | 'silence' | 'output' | 'aborted';

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

/** How a program ended, as far as it can be sent to another process. */
export interface CommandEnd {
  /** The code of the failure, where it could not even be started. */
  readonly notStarted?: string;
  readonly stopped?: StopReason;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its standard error. */
  readonly stderr: string;
}

interface Bounds {
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly silenceMs?: number;
  readonly maxOutputBytes?: number;
}

/** undefined: all is well. */
export function failureOf(program: string, bounds: Bounds, end: CommandEnd): Error | undefined {
  const { notStarted, stopped, exitCode, signal, stderr } = end;
  if (stopped !== undefined) return new CommandStopped(`${program} was stopped: ${whyStopped(stopped, bounds)}.`, program, stopped, stderr);
  if (notStarted !== undefined) return notStartedBecause(notStarted, program, bounds);
  if (exitCode === 0) return undefined;
  const how = exitCode === null ? `was ended by ${signal}` : `ended with status ${exitCode}`;
  return new CommandFailure(`${program} ${how}${stderr === '' ? '.' : `: ${stderr}`}`, program, exitCode, stderr);
}

function whyStopped(reason: StopReason, { timeoutMs = 0, silenceMs = 0, maxOutputBytes }: Bounds): string {
  switch (reason) {
    case 'timeout':
      return `it took longer than ${inSeconds(timeoutMs)}`;
    case 'silence':
      return `it printed nothing for ${inSeconds(silenceMs)}`;
    case 'output':
      return `it printed more than ${maxOutputBytes} bytes`;
    case 'aborted':
      return 'it is not wanted any more';
  }
}

function inSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} seconds`;
}

function notStartedBecause(code: string, program: string, { cwd }: Bounds): Error {
  if (code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) return new Error(`There is no directory ${cwd}.`);
  if (code === 'ENOENT') return new ProgramMissing(program);
  if (code === 'ERR_INVALID_ARG_VALUE') return new Error(`The program ${program} cannot be given a text that holds a NUL character.`);
  return new Error(`The program ${program} cannot be started: ${code}.`);
}
