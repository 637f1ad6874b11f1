// Sentences for the console about failures on the agent.
import { constants } from 'node:os';

export function describeStartFailure(program: string, failure: NodeJS.ErrnoException): string {
  switch (failure.code) {
    case 'ENOENT':
      return `Program "${program}" was not found. Install it on the agent, or check the PATH of the agent.`;
    case 'EACCES':
      return `Program "${program}" may not be executed by the user of the agent.`;
    case 'E2BIG':
      return `Program "${program}" cannot be started: its arguments and environment variables are too long for this system.`;
    case 'ENOEXEC':
      return `Program "${program}" is nothing that this system can execute. A script needs a first line such as #!/bin/sh.`;
    case 'EAGAIN':
    case 'ENOMEM':
    case 'EMFILE':
      return `Program "${program}" cannot be started: the agent's machine has no room for another process (${failure.code}).`;
    // The message of the failure shows the value, which may be a secret, in a spelling that no mask knows.
    case 'ERR_INVALID_ARG_VALUE':
      return `Program "${program}" cannot be started: its name, its arguments or its environment variables contain a zero byte.`;
    default:
      return `Program "${program}" cannot be started: ${failure.message}`;
  }
}

/** About the files of the agent itself. */
export function describeDiskFailure(failure: NodeJS.ErrnoException): string {
  switch (failure.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of the agent is full: free some space on it (${failure.message}).`;
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `The agent may not write into its work directory: ${failure.message}`;
    case 'ENOENT':
      return `The work directory of the agent has vanished: ${failure.message}`;
    default:
      return `The agent cannot work with its files: ${failure.message}`;
  }
}

/** As a shell counts them. */
export function codeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
