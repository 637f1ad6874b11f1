// A line of a file on the website of a hosting service. Only for services known by their host name: links of others may look different.

export interface FileLocation {
  readonly file: string;
  /** null: unknown. */
  readonly line: number | null;
  readonly revision: string;
}

type LinkFormat = (repository: string, location: FileLocation) => string;

const SERVICES: readonly { readonly isHost: (host: string) => boolean; readonly format: LinkFormat }[] = [
  { isHost: isHostOf('github'), format: (repository, location) => `${repository}/blob/${pathOf(location)}${anchor('#L', location)}` },
  { isHost: isHostOf('gitlab'), format: (repository, location) => `${repository}/-/blob/${pathOf(location)}${anchor('#L', location)}` },
  {
    isHost: (host) => host === 'bitbucket.org',
    format: (repository, location) => `${repository}/src/${pathOf(location)}${anchor('#lines-', location)}`,
  },
  {
    isHost: (host) => host === 'codeberg.org' || isHostOf('gitea')(host) || isHostOf('forgejo')(host),
    format: (repository, location) => `${repository}/src/commit/${pathOf(location)}${anchor('#L', location)}`,
  },
];

/** undefined: the address is not that of a service whose website is known. Logins in it do not get into the link. */
export function webLink(address: string, location: FileLocation): string | undefined {
  const website = hostAndPath(address);
  const service = website && SERVICES.find(({ isHost }) => isHost(website.host.toLowerCase()));
  if (website === undefined || service === undefined) return undefined;
  const path = website.path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  if (!/^[^/]+\/.*[^/]$/.test(path)) return undefined;
  return service.format(`${website.scheme}//${website.host}${website.port}/${path}`, location);
}

interface HostAndPath {
  readonly scheme: 'http:' | 'https:';
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

/** By SSH, the website is at the same host. */
function hostAndPath(address: string): HostAndPath | undefined {
  const { protocol, hostname, port, pathname } = URL.parse(address) ?? {};
  if (protocol === 'http:' || protocol === 'https:')
    return { scheme: protocol, host: hostname ?? '', port: port ? `:${port}` : '', path: pathname ?? '' };
  if (protocol === 'ssh:') return { scheme: 'https:', host: hostname ?? '', port: '', path: pathname ?? '' };
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):([^:\\]+)$/.exec(address) ?? [];
  return host === undefined || path === undefined ? undefined : { scheme: 'https:', host, port: '', path: encodedPath(path) };
}

/** `github.com`, `github.example.org`. */
function isHostOf(name: string): (host: string) => boolean {
  return (host) => host === `${name}.com` || host.startsWith(`${name}.`);
}

function pathOf({ revision, file }: FileLocation): string {
  return `${encodeURIComponent(revision)}/${encodedPath(file)}`;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function anchor(before: string, { line }: FileLocation): string {
  return line === null ? '' : `${before}${line}`;
}
