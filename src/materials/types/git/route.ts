// Where git is sent to ask a repository: to addresses that were judged, and after a redirect only to where that was judged, too.
import { canonicalHost } from '../../../kit/network/resolve-guarded.ts';
import { type CheckedHost, connectsOverHttp, judgeAddress } from '../../addresses/check-host.ts';
import type { PollContext } from '../../clients/client.ts';

type Setting = readonly [name: string, value: string];

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** The path of the first request of git, below the address of a repository. */
const FIRST_REQUEST = '/info/refs?service=git-upload-pack';

export class GitRoute {
  readonly #source: string;
  readonly #context: PollContext;
  #url: string;
  #judged: Promise<readonly CheckedHost[]> | undefined;
  readonly #inspect: () => Promise<void>;
  #inspected: Promise<void> | undefined;

  /** `source` is the address as git is given it; `inspect` looks at a repository of this machine, and rejects when it leads where git must not go. */
  constructor(source: string, context: PollContext, inspect: () => Promise<void> = async () => {}) {
    this.#source = source;
    this.#url = source;
    this.#context = context;
    this.#inspect = inspect;
  }

  /** To be waited for before anything but a ref is read. */
  inspected(): Promise<void> {
    this.#inspected ??= this.#inspect();
    return this.#inspected;
  }

  /** The environment for a command that connects to the repository. Throws when that is where this server must not go. */
  async environment(): Promise<Record<string, string>> {
    await this.inspected();
    this.#judged ??= judgeAddress(this.#url, this.#context, connectsOverHttp(this.#url));
    const judged = await this.#judged;
    const moved: readonly Setting[] = this.#url === this.#source ? [] : [[`url.${this.#url}.insteadOf`, this.#source]];
    return settingsEnvironment([...pinsFor(this.#url, judged), ...moved]);
  }

  /** Takes over where a server has redirected the first request to. False: it does not lead to a repository. */
  moveTo(location: string): boolean {
    const asked = URL.parse(location, `${this.#url.replace(/\/+$/, '')}${FIRST_REQUEST}`);
    if (!asked || !(asked.protocol in DEFAULT_PORTS) || !asked.href.endsWith(FIRST_REQUEST)) return false;
    asked.username = '';
    asked.password = '';
    this.#url = asked.href.slice(0, -FIRST_REQUEST.length);
    this.#judged = undefined;
    return true;
  }
}

/** The settings that make git connect to just these addresses over HTTP, however it spells the host. */
export function pinsFor(url: string, judged: readonly CheckedHost[]): Setting[] {
  const [scheme = ''] = url.toLowerCase().split('//');
  if (!(scheme in DEFAULT_PORTS)) return [];
  return judged.flatMap(({ host, port = DEFAULT_PORTS[scheme], addresses }) => {
    const names = new Set([host.toLowerCase(), canonicalHost(host)].flatMap((name) => [name, name.replace(/\.$/, '')]));
    const all = addresses.map((address) => (address.includes(':') ? `[${address}]` : address)).join(',');
    return [...names]
      .filter((name) => !name.includes(':') && addresses.length > 0)
      .map((name): Setting => ['http.curloptResolve', `${name}:${port}:${all}`]);
  });
}

/** Values may hold characters that would end the name of a setting on a command line. */
export function settingsEnvironment(settings: readonly Setting[]): Record<string, string> {
  const pairs = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return settings.length === 0 ? {} : { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}
