// A line of a file on the website of a hosting service. Only for services known by their host name: links of others may look different.

export interface FilePlace {
  readonly file: string;
  /** null: unknown. */
  readonly line: number | null;
  readonly revision: string;
}

type Form = (repository: string, place: FilePlace) => string;

const SERVICES: readonly { readonly isHost: (host: string) => boolean; readonly form: Form }[] = [
  { isHost: isOf('github'), form: (repository, place) => `${repository}/blob/${pathOf(place)}${anchor('#L', place)}` },
  { isHost: isOf('gitlab'), form: (repository, place) => `${repository}/-/blob/${pathOf(place)}${anchor('#L', place)}` },
  {
    isHost: (host) => host === 'bitbucket.org',
    form: (repository, place) => `${repository}/src/${pathOf(place)}${anchor('#lines-', place)}`,
  },
  {
    isHost: (host) => host === 'codeberg.org' || isOf('gitea')(host) || isOf('forgejo')(host),
    form: (repository, place) => `${repository}/src/commit/${pathOf(place)}${anchor('#L', place)}`,
  },
];

/** undefined: the address is not that of a service whose website is known. Logins in it do not get into the link. */
export function webLink(address: string, place: FilePlace): string | undefined {
  const where = hostAndPath(address);
  const service = where && SERVICES.find(({ isHost }) => isHost(where.host.toLowerCase()));
  if (where === undefined || service === undefined) return undefined;
  const path = where.path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  if (!/^[^/]+\/.*[^/]$/.test(path)) return undefined;
  return service.form(`${where.scheme}//${where.host}${where.port}/${path}`, place);
}

interface Where {
  readonly scheme: 'http:' | 'https:';
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

/** By SSH, the website is at the same host. */
function hostAndPath(address: string): Where | undefined {
  const { protocol, hostname, port, pathname } = URL.parse(address) ?? {};
  if (protocol === 'http:' || protocol === 'https:')
    return { scheme: protocol, host: hostname ?? '', port: port ? `:${port}` : '', path: pathname ?? '' };
  if (protocol === 'ssh:') return { scheme: 'https:', host: hostname ?? '', port: '', path: pathname ?? '' };
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):([^:\\]+)$/.exec(address) ?? [];
  return host === undefined || path === undefined ? undefined : { scheme: 'https:', host, port: '', path: encodedPath(path) };
}

/** `github.com`, `github.example.org`. */
function isOf(name: string): (host: string) => boolean {
  return (host) => host === `${name}.com` || host.startsWith(`${name}.`);
}

function pathOf({ revision, file }: FilePlace): string {
  return `${encodeURIComponent(revision)}/${encodedPath(file)}`;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function anchor(before: string, { line }: FilePlace): string {
  return line === null ? '' : `${before}${line}`;
}
