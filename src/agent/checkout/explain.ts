// Explains in one sentence why a checkout failed and how to mend it. The output of the programs has no secrets in it any more.
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import { CommandFailure, CommandStopped, ProgramMissing } from '../../kit/process/command-failure.ts';
import { CheckoutProblem, DamagedCopy, revisionGone } from './problem.ts';

const DISK_FULL = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT|database or disk is full/i;
const NOT_OURS = /: Permission denied$|Operation not permitted|Read-only file system|EACCES|EPERM|EROFS/m;
const OTHER_OWNER = /dubious ownership/;
const LOGIN_REFUSED = new RegExp(
  [
    'Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied \\(|Access denied',
    'returned error: 40[13]|HTTP Error 40[13]|authorization (?:failed|required)|E170001|E215004|No more credentials',
    'Password invalid|invalid or unset|session has expired|TF30063|not authorized|Host key verification failed',
  ].join('|'),
  'i',
);
const REPOSITORY_GONE = new RegExp(
  [
    "repository '?.*'? not found|does not appear to be a git repository|returned error: 404|HTTP Error 404|requested URL .* not found",
    "E170000|E180001|E160013|E200009|doesn't exist|Client '.*' unknown",
  ].join('|'),
  'i',
);
/** Of another time than that of the agent, or of an authority that it does not know. Not all programs say which. */
const CERTIFICATE_REFUSED =
  /SSL certificate problem|certificate verif(?:y|ication) failed|certificate has expired|certificate is not yet valid|E230001/i;
const UNREACHABLE = new RegExp(
  [
    'Could not resolve host|Failed to connect|Connection (?:refused|timed out|reset|closed)|Name or service not known',
    'Network is unreachable|No route to host|Connect to server failed|E170013|server is not available|Could not read from remote',
    'early EOF|hung up|abort: error: ',
  ].join('|'),
  'i',
);
const REVISION_GONE = /E160006|no such changelist|TF10132|changeset .* does not exist/i;
const MAX_OUTPUT_LENGTH = 300;

/** Whether a fresh copy of the repository would fail in the same way. */
export function wouldFailAgain(failure: unknown): boolean {
  if (!(failure instanceof CommandFailure)) return !(failure instanceof DamagedCopy);
  if (failure instanceof CommandStopped) return true;
  return [DISK_FULL, NOT_OURS, OTHER_OWNER, LOGIN_REFUSED, REPOSITORY_GONE, CERTIFICATE_REFUSED, UNREACHABLE, REVISION_GONE].some((one) =>
    one.test(failure.stderr),
  );
}

interface Where {
  readonly pipelineFolder: string;
  readonly signal: AbortSignal;
}

export function checkoutProblemOf(failure: unknown, { description, revision }: WorkMaterial, { pipelineFolder, signal }: Where): Error {
  if (failure instanceof CheckoutProblem) return failure;
  if (signal.aborted || failure instanceof CommandStopped) return new CheckoutProblem('The checkout was stopped.');
  if (failure instanceof ProgramMissing)
    return new CheckoutProblem(
      `Install ${failure.program} on this agent: it is not on the PATH of the agent, and ${description} needs it.`,
    );
  const output = failure instanceof CommandFailure ? failure.stderr : failure instanceof Error ? failure.message : String(failure);
  return new CheckoutProblem(
    describeKnownProblem(output, description, revision, pipelineFolder) ?? describeFailure(failure, output, description),
  );
}

function describeKnownProblem(output: string, description: string, revision: string, folder: string): string | undefined {
  if (DISK_FULL.test(output)) return `The disk of this agent is full: free some space for ${folder}.`;
  if (OTHER_OWNER.test(output)) return `${description} belongs to another user of this machine: give it to the user of the agent.`;
  if (LOGIN_REFUSED.test(output))
    return `The login was refused by ${description}: correct the user name and the password of the material, or the keys of this agent.`;
  if (NOT_OURS.test(output))
    return `The agent may not change what is in its folders: give the files below ${folder} and in its cache to the user of the agent (${lastLine(output)}).`;
  if (REVISION_GONE.test(output)) return revisionGone(revision, description).message;
  if (CERTIFICATE_REFUSED.test(output))
    return `The certificate of ${description} is not accepted by this agent: correct the clock of the agent, or install the authority that signed the certificate on it (${lastLine(output)}).`;
  if (REPOSITORY_GONE.test(output))
    return `There is no repository at ${description}: correct the address of the material, or let its user see the repository.`;
  if (UNREACHABLE.test(output))
    return `This agent cannot reach ${description}: check the network of the agent and the address of the material (${lastLine(output)}).`;
  return undefined;
}

function describeFailure(failure: unknown, output: string, description: string): string {
  const subject = failure instanceof CommandFailure ? `${failure.program} failed` : 'It failed';
  return `${subject} at the checkout of ${description}: see what it said in the console (${lastLine(output) || 'nothing'}).`;
}

function lastLine(output: string): string {
  const line = output.split('\n').findLast((one) => one.trim() !== '') ?? '';
  return line.trim().replace(/\.$/, '').slice(0, MAX_OUTPUT_LENGTH);
}
