// What jobs have left, for people and programs: lists, files, and folders as archives.
import { Readable } from 'node:stream';
import type { ArtifactPlace } from '../../../artifacts/place/place.ts';
import type { JobPlace } from '../../../artifacts/stage-run.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type StreamedEntry, zipStream } from '../../../kit/zip/zip-stream.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { noJobFile } from '../consoles/docs.ts';
import { type FoundJob, type JobAccessParts, locatorOf, visibleJob, writtenLocator } from '../consoles/jobs.ts';
import { byteRangeOf } from './byte-range.ts';
import { contentTypeOf, dispositionOf, SANDBOX } from './content-type.ts';
import { FILE, FILE_PATH, FOLDER_PATH, forbidden, gone, LIST, LIST_PATH, NO_SUCH_BYTES, TOO_MANY } from './docs.ts';
import { treeOf } from './listing.ts';
import { allBelow, CHECKSUMS, hasFolder, MAX_LISTED, MAX_ZIPPED, type PublishedFile, type PublishedFiles } from './published.ts';

export interface ArtifactReadParts extends JobAccessParts {
  readonly files: PublishedFiles;
  readonly place: Pick<ArtifactPlace, 'read'>;
}

const common = { method: 'GET', permission: 'user', version: null } as const;
const JSON_TYPE = { type: 'application/json; charset=utf-8' } as const;

export function artifactReadRoutes(parts: ArtifactReadParts): Route[] {
  const { files, place } = parts;
  return ofKeeper([
    { ...common, path: LIST_PATH, description: { chapter: 'artifacts', ...LIST }, handle: list },
    { ...common, path: FOLDER_PATH, description: { chapter: 'artifacts', ...LIST }, handle: list },
    { ...common, path: FILE_PATH, description: { chapter: 'artifacts', ...FILE }, handle: file },
  ]);

  async function list(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, LIST);
    return folderAnswer(request, await jobOf(request), '');
  }

  async function file(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, FILE);
    const { path = '' } = request.params;
    if (isForbidden(path)) throw new Refusal('forbidden', forbidden(path));
    const job = await jobOf(request);
    if (path === CHECKSUMS)
      return { status: 200, body: Readable.from(checksums(job), { objectMode: false }), type: 'text/plain; charset=utf-8' };
    const found = await files.find(job.id, path);
    if (found) return fileAnswer(request, job.place, found);
    if (await hasFolder(files, job.id, path)) return folderAnswer(request, job, path);
    const folder = path.endsWith('.zip') ? path.slice(0, -'.zip'.length) : '';
    if (folder !== '' && (await hasFolder(files, job.id, folder))) return zipAnswer(job, folder);
    throw new Refusal('notFound', gone(path));
  }

  async function jobOf({ identity, params }: ApiRequest): Promise<FoundJob> {
    const missing = noJobFile(writtenLocator(params));
    const locator = locatorOf(params);
    if (!locator) throw new Refusal('notFound', missing);
    return visibleJob(parts, identity, locator, missing);
  }

  async function fileAnswer(request: ApiRequest, job: JobPlace, { path, bytes, sha256: etag }: PublishedFile): Promise<Answer> {
    const isCurrent = [undefined, `"${etag}"`].includes(request.header('if-range')?.trim());
    const range = isCurrent ? byteRangeOf(request.header('range'), bytes) : undefined;
    if (range === 'unsatisfiable')
      return jsonAnswer({ message: NO_SUCH_BYTES }, { ...JSON_TYPE, status: 416, headers: ['Content-Range', `bytes */${bytes}`] });
    const body = await place.read(job, path, range);
    if (!body) throw new Refusal('notFound', gone(path));
    const headers = [
      'Accept-Ranges',
      'bytes',
      'Content-Length',
      String(range ? range.end - range.start + 1 : bytes),
      ...guarded(path, 'inline'),
    ];
    if (range) headers.push('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
    return { status: range ? 206 : 200, body, type: contentTypeOf(path), etag, headers };
  }

  async function folderAnswer(request: ApiRequest, { id }: FoundJob, folder: string): Promise<Answer> {
    const after = request.query.get('after') ?? '';
    const listed = await files.page(id, { below: folder, after, most: MAX_LISTED + 1 });
    const paths = listed.slice(0, MAX_LISTED).map(({ path }) => path);
    const at = addressOf(request);
    const below = folder === '' ? 0 : folder.length + 1;
    const tree = treeOf(
      paths.map((path) => path.slice(below)),
      folder === '' ? at : `${at}/${encodedPath(folder)}`,
    );
    const headers: string[] = [];
    if (listed.length > MAX_LISTED) {
      const next = `${at}${folder === '' ? '.json' : `/${encodedPath(folder)}`}?after=${encodeURIComponent(paths.at(-1)!)}`;
      headers.push('Link', `<${next}>; rel="next"`);
    }
    const answer = jsonAnswer(tree, { ...JSON_TYPE, headers });
    return { ...answer, etag: sha256(answer.text ?? '').slice(0, 32) };
  }

  function zipAnswer(job: FoundJob, folder: string): Answer {
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    const body = Readable.from(zipStream(zipped(job, folder, name), new Date()), { objectMode: false });
    return { status: 200, body, type: 'application/zip', cacheControl: 'no-store', headers: guarded(`${name}.zip`, 'attachment') };
  }

  async function* zipped({ id, place: job }: FoundJob, folder: string, name: string): AsyncGenerator<StreamedEntry> {
    let count = 0;
    for await (const { path } of allBelow(files, id, folder)) {
      // Too late to be refused: it ends early, so that nobody takes it for whole.
      if (++count > MAX_ZIPPED) throw new Error(TOO_MANY);
      const inside = `${name}${path.slice(folder.length)}`;
      const content = path.endsWith('/') ? '' : await place.read(job, path);
      // Purged in the meantime: an archive that ends early cannot be taken for a whole one.
      if (content === undefined) throw new Error(gone(path));
      yield { name: inside, content };
    }
  }

  async function* checksums({ id }: FoundJob): AsyncGenerator<string> {
    for await (const { path, md5 } of allBelow(files, id, '')) if (md5 !== '') yield `${path}=${md5}\n`;
  }
}

function isForbidden(path: string): boolean {
  return path.split('/').includes('..') || path.includes('\0');
}

function addressOf({ base, params }: ApiRequest): string {
  return `${base}/files/${encodedPath(writtenLocator(params))}`;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function guarded(path: string, how: 'inline' | 'attachment'): string[] {
  return ['Content-Security-Policy', SANDBOX, 'Content-Disposition', dispositionOf(path, how)];
}
