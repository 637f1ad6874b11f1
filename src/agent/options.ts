// The options with which an agent starts.
import type { RetryLimits } from './artifacts/retry-budget.ts';
import type { CheckOut } from './job/prepare.ts';

export interface AgentOptions {
  /** The address of the server, with its path if it has one. */
  readonly server: string;
  /** An absolute path. */
  readonly workDir: string;
  readonly key?: string;
  /** The certificate of the server (PEM): with it no other is trusted, and its names do not count. */
  readonly certificate?: string;
  readonly name?: string;
  readonly resources: readonly string[];
  readonly environments: readonly string[];
  readonly elasticAgentId?: string;
  readonly elasticPluginId?: string;
  /** The environment of the process; tasks inherit most of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line for the operator of the agent. */
  readonly print: (line: string) => void;
  /** Writes the last line: why the agent ends without an order to stop. */
  readonly printFailure: (line: string) => void;
  /** Once: end the running job, and then the agent. A second time: at once. */
  readonly onStop: (stop: () => void) => void;
  readonly checkOut?: CheckOut;
  readonly graceMs?: number;
  /** How long requests about artifacts are repeated; a test need not wait. */
  readonly retryLimits?: RetryLimits;
}

/** `a, b` as a list. */
export function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The problem of the address, as a sentence. */
export function serverProblem(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'The server must be an address such as https://cd.example.org.';
  if (url.username || url.password) return 'The address of the server must not contain a name or password.';
  if (url.search || url.hash) return 'The address of the server must end with its path.';
  return undefined;
}
