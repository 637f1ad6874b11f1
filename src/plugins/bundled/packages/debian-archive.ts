// Asks a Debian archive: its Release file, and the indexes that Release names, checked against it.
import { createHash } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { PollTools } from '../../../contracts/plugins/poll-tools.ts';
import { setNewest } from '../../../kit/newest-entries.ts';
import { readText } from '../../setting-values.ts';
import { RepositoryFailure } from './check-result.ts';
import { readIfChanged } from './conditional-get.ts';
import { type DebianPackage, newer, newestIn } from './debian-packages.ts';
import { type Release, readRelease } from './debian-release.ts';
import { get, type HttpAnswer, HttpFailure, limitAnswer, shown, withMaxBytes } from './http.ts';
import { addressBelow, authorizationOf, repositoryUrl } from './repository-settings.ts';

const MAX_RELEASE_BYTES = 16 * 1024 * 1024;
export const DEFAULT_COMPONENT = 'main';
export const DEFAULT_ARCHITECTURE = 'amd64';
const ALL = 'all';
const MAX_REMEMBERED = 1000;
const MAX_NAMED = 20;

/** The forms of an index that can be read, those first that are sent sooner. */
const FORMS: readonly { readonly ending: string; unpack?(): Transform }[] = [
  { ending: '.gz', unpack: () => createGunzip({ chunkSize: 256 * 1024 }) },
  { ending: '.zst', unpack: () => createZstdDecompress({ chunkSize: 256 * 1024 }) },
  { ending: '' },
];

export interface FoundPackage {
  readonly package: DebianPackage;
  readonly released: Date | undefined;
}

interface Index {
  readonly path: string;
  readonly sha256: string;
  unpack?(): Transform;
}

/** The packages found in indexes, by checksum: an index is large, and most polls find it unchanged. */
const lastFound = new Map<string, DebianPackage | undefined>();

/** The result of `read` for the Release file; `what` distinguishes the callers. */
export function readArchive<T>(
  repository: SettingValues,
  what: string,
  read: (release: Release) => Promise<T>,
  tools: PollTools,
): Promise<T> {
  const key = JSON.stringify([what, componentsOf(repository), architecturesOf(repository)]);
  const ask = (file: string) =>
    readIfChanged(
      addressBelow(root(repository), file, 'SUITE'),
      key,
      requestFor(repository),
      (answer) => readAll(answer, read, tools),
      tools,
    );
  return ask('InRelease').catch((failure: unknown) => {
    if (failure instanceof HttpFailure && failure.status === 404) return ask('Release');
    throw failure;
  });
}

async function readAll<T>(answer: HttpAnswer, read: (release: Release) => Promise<T>, tools: PollTools): Promise<T> {
  const chunks = await Array.fromAsync(limitAnswer(answer.body, answer, withMaxBytes(MAX_RELEASE_BYTES, tools)));
  const release = readRelease(Buffer.concat(chunks).toString('utf8'));
  if (release.files.size > 0) return read(release);
  throw new RepositoryFailure(`${shown(answer.url)} names no files with SHA256 checksums.`);
}

export function findPackage(repository: SettingValues, name: string, tools: PollTools): Promise<FoundPackage | undefined> {
  return readArchive(
    repository,
    name,
    async (release) => {
      let newest: DebianPackage | undefined;
      for (const index of indexesOf(release, repository)) newest = newer(newest, await findIn(index, release, repository, name, tools));
      return newest && { package: newest, released: release.date };
    },
    tools,
  );
}

/** The indexes that the settings name; throws when the archive lacks one of them. */
export function indexesOf(release: Release, repository: SettingValues): readonly Index[] {
  if (isFlat(repository)) return [indexAt('Packages', release)];
  const { architectures, components, repeatsArchitectureAll } = release;
  const hasAll = architectures.includes(ALL) && !repeatsArchitectureAll;
  const wanted = new Set([...architecturesOf(repository), ...(hasAll ? [ALL] : [])]);
  return componentsOf(repository).flatMap((component) => {
    if (!components.includes(component.split('/').at(-1)!)) throw new RepositoryFailure(lacking('component', component, components));
    return [...wanted].map((architecture) => {
      if (!architectures.includes(architecture)) throw new RepositoryFailure(lacking('architecture', architecture, architectures));
      return indexAt(`${component}/binary-${architecture}/Packages`, release);
    });
  });
}

/** Other names are not repeated in messages. */
const isPlainName = (name: string) => /^[\w.+/-]{1,40}$/.test(name);
const lacking = (what: string, wanted: string, there: readonly string[]) =>
  `The archive has no ${what} ${wanted}; it has ${there.filter(isPlainName).slice(0, MAX_NAMED).join(', ')}.`;

function indexAt(path: string, { files, isByHash }: Release): Index {
  for (const { ending, unpack } of FORMS) {
    const file = files.get(path + ending);
    if (!file) continue;
    const address = isByHash ? `${path.replace(/[^/]*$/, '')}by-hash/SHA256/${file.sha256}` : path + ending;
    return { path: address, sha256: file.sha256, ...(unpack && { unpack }) };
  }
  const others = [...files.keys()].filter((name) => name.startsWith(`${path}.`));
  throw new RepositoryFailure(
    others.length === 0
      ? `The archive has no ${path}.`
      : `The archive has ${path} only in forms that cannot be read: ${others.slice(0, MAX_NAMED).join(', ')}.`,
  );
}

async function findIn(
  index: Index,
  release: Release,
  repository: SettingValues,
  name: string,
  tools: PollTools,
): Promise<DebianPackage | undefined> {
  const url = addressBelow(root(repository), index.path);
  const key = JSON.stringify([root(repository).href, index.sha256, name]);
  if (lastFound.has(key)) return lastFound.get(key);
  const answer = await get(url, requestFor(repository), tools);
  const hash = createHash('sha256');
  const found = await newestIn(limitAnswer(unpacked(hashed(answer, hash, tools), index), answer, tools), name);
  if (hash.digest('hex') !== index.sha256) {
    const isBeingUpdated = release.isByHash ? '' : ' Perhaps it is just being updated.';
    throw new RepositoryFailure(`${shown(url)} is not what the Release file of the archive says.${isBeingUpdated}`);
  }
  setNewest(lastFound, key, found, MAX_REMEMBERED);
  return found;
}

async function* hashed(answer: HttpAnswer, hash: ReturnType<typeof createHash>, tools: PollTools): AsyncGenerator<Buffer> {
  for await (const chunk of limitAnswer(answer.body, answer, tools)) {
    hash.update(chunk);
    yield chunk;
  }
}

function unpacked(chunks: AsyncIterable<Buffer>, { unpack }: Index): AsyncIterable<Buffer> {
  return unpack ? pipeline(Readable.from(chunks), unpack(), () => {}) : chunks; // failures come up where it is read
}

/** Where the Release file is. In a flat archive, whose suite ends with a slash, everything is there. */
function root(repository: SettingValues): URL {
  const suite = suiteOf(repository);
  return addressBelow(repositoryUrl(repository), isFlat(repository) ? suite : `dists/${suite}/`, 'SUITE');
}

function requestFor(repository: SettingValues) {
  // Indexes are compressed already; servers that take their compression for an encoding would send bytes with another checksum.
  return { authorization: authorizationOf(repository), headers: { 'accept-encoding': 'identity' } };
}

export function suiteOf(repository: SettingValues): string {
  return readText(repository, 'SUITE').trim();
}

function isFlat(repository: SettingValues): boolean {
  return suiteOf(repository).endsWith('/');
}

function componentsOf(repository: SettingValues): readonly string[] {
  return listOf(repository, 'COMPONENT', DEFAULT_COMPONENT);
}

function architecturesOf(repository: SettingValues): readonly string[] {
  return listOf(repository, 'ARCHITECTURE', DEFAULT_ARCHITECTURE);
}

/** One or several, as in sources.list. */
function listOf(repository: SettingValues, key: string, defaultValue: string): readonly string[] {
  const words = readText(repository, key)
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  return words.length === 0 ? [defaultValue] : words;
}
