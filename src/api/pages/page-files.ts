// The files of the pages, read when the first of them is asked for, and then kept: reading and packing them would make each start slower.
// A path that was not among them then does not exist, however it is requested.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { sha256 } from '../../kit/bytes/hash.ts';

export type Encoding = 'br' | 'gzip';

export interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly packed: Readonly<Partial<Record<Encoding, Buffer>>>;
}

export interface PageFiles {
  readonly index: PageFile;
  /** By name. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };
/** Stands in the page where the folder stands that links start from. */
const BASE = '__BASE__';
const INDEX = 'index.html';

/** Gives the files, at once where they have been read. */
export type ReadPageFiles = () => PageFiles | Promise<PageFiles>;

/** Undefined: the pages are not built. */
export function pageFilesIn(folder: string, contextPath: string): ReadPageFiles | undefined {
  if (!existsSync(join(folder, INDEX))) return undefined;
  let known: PageFiles | undefined;
  let reading: Promise<PageFiles> | undefined;
  const read = async () => {
    known = await readPageFiles(folder, contextPath);
    return known;
  };
  // After a failure the next request tries again.
  const forget = () => {
    reading = undefined;
  };
  return () => known ?? (reading ??= read().finally(forget));
}

async function readPageFiles(folder: string, contextPath: string): Promise<PageFiles> {
  const assets = join(folder, 'assets');
  const [page, names] = await Promise.all([readFile(join(folder, INDEX), 'utf8'), namesIn(assets)]);
  const all = new Set(names);
  const served = names.filter((name) => extname(name) in TYPES);
  const [index, ...files] = await Promise.all([
    indexFile(page.replaceAll(BASE, `${contextPath}/`)),
    ...served.map((name) => assetFile(assets, name, all)),
  ]);
  return { index, assets: new Map(served.map((name, index) => [name, files[index]!])) };
}

/** Plain files only: no folders, and no links, which may lead elsewhere. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw failure;
  }
}

/** Packed here, because only here it is known where links start. */
async function indexFile(page: string): Promise<PageFile> {
  const plain = Buffer.from(page);
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)]);
  return fileOf('text/html; charset=utf-8', plain, { br, gzip: gz });
}

async function assetFile(folder: string, name: string, names: ReadonlySet<string>): Promise<PageFile> {
  const forms = Object.entries(ENDINGS).filter(([, ending]) => names.has(name + ending));
  const [plain, ...packed] = await Promise.all(
    ['', ...forms.map(([, ending]) => ending)].map((ending) => readFile(join(folder, name + ending))),
  );
  return fileOf(TYPES[extname(name)]!, plain!, Object.fromEntries(forms.map(([encoding], index) => [encoding, packed[index]!])));
}

function fileOf(type: string, plain: Buffer, packed: PageFile['packed']): PageFile {
  return { type, etag: sha256(plain), plain, packed };
}
