// Judges where the address of a repository leads, before a program is started that makes its own connection.
import { ForbiddenAddress } from '../../kit/network/reach.ts';
import { resolveGuarded } from '../../kit/network/resolve-guarded.ts';
import { programEnvironment } from '../../kit/process/program-environment.ts';
import { MaterialProblem, type PollContext } from '../clients/client.ts';
import { isLocal } from './address.ts';
import { type RemoteHost, remoteHosts } from './remote-host.ts';

export interface CheckedHost extends RemoteHost {
  /** The addresses that the name resolved to; none: only a proxy or the settings of ssh can resolve it. */
  readonly addresses: readonly string[];
}

type HostContext = Pick<PollContext, 'networkPolicy' | 'signal' | 'limits'>;

const OVER_HTTP = /^https?:/i;
const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

/** The hosts of an address; empty for a path of this machine. Throws when this server must not connect to one of them. */
export async function judgeAddress(url: string, context: HostContext, isHeld = false): Promise<readonly CheckedHost[]> {
  if (isLocal(url)) return [];
  return Promise.all(remoteHosts(url).map((host) => judgeHost(host, context, isHeld)));
}

/** Whether a program that can be held to the judged addresses makes the connection itself. */
export function connectsOverHttp(url: string): boolean {
  return OVER_HTTP.test(url) && !hasProxy();
}

/** `isHeld`: the program connects only to the addresses in the result, so the host must resolve now. */
export async function judgeHost(remote: RemoteHost, { networkPolicy, signal, limits }: HostContext, isHeld = false): Promise<CheckedHost> {
  const late = AbortSignal.timeout(limits.responseTimeoutMs ?? limits.timeoutMs);
  try {
    return { ...remote, addresses: await resolveGuarded(remote.host, networkPolicy, AbortSignal.any([signal, late])) };
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof ForbiddenAddress) throw new MaterialProblem(failure.message);
    if (!isHeld) return { ...remote, addresses: [] };
    // No MaterialProblem: the failure may pass, and the copy of the repository is kept.
    throw new Error(`The host ${remote.host} cannot be found: ${late.aborted ? 'DNS did not answer in time' : codeOf(failure)}.`);
  }
}

/** Whether programs connect through a proxy. */
function hasProxy(): boolean {
  const environment = programEnvironment();
  return PROXIES.some((name) => environment[name]);
}

function codeOf(failure: unknown): string {
  return (failure as NodeJS.ErrnoException).code ?? 'unknown';
}
