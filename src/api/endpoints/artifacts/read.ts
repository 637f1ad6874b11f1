// The artifacts of jobs, for people and programs: lists, files, and folders as archives.
import { Readable } from 'node:stream';
import { artifactGone } from '../../../artifacts/artifact-gone.ts';
import { OUTPUT_FOLDER } from '../../../artifacts/stage-run.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type StreamedEntry, zipStream } from '../../../kit/zip/zip-stream.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { etagOfText } from '../../http/headers/etags.ts';
import { isNavigation } from '../../http/navigation.ts';
import { encodedPath } from '../common/encoded-path.ts';
import { noJobFile } from '../consoles/docs.ts';
import { type FoundJob, type JobAccessParts, locatorOf, visibleJob, writtenLocator } from '../consoles/jobs.ts';
import { ArchiveSize, MAX_FILES } from './archive-size.ts';
import { FILE, FILE_PATH, FOLDER_PATH, forbidden, isForbidden, LIST, LIST_PATH, TOO_MANY } from './docs.ts';
import { bytesOf, type FileSource, fileAnswer, guarded, JSON_TYPE } from './file-answer.ts';
import { isKnownCopy } from './known-copy.ts';
import { firstOf, treeOf } from './listing.ts';
import { allBelow, hasFolder, hasMoreThan, MAX_LISTED, prefixOf } from './published.ts';
import { CHECKSUMS, readServerFile, type ServerFileParts, serverFiles } from './server-files.ts';

export interface ArtifactReadParts extends JobAccessParts, ServerFileParts {
  readonly storage: FileSource & ServerFileParts['storage'];
}

/** Unknown query parameters are ignored, as in GoCD: its clients send more than is documented. */
const common = { method: 'GET', permission: 'user', version: null } as const;

export function artifactReadRoutes(parts: ArtifactReadParts): Route[] {
  const { files, storage } = parts;
  return ofKeeper([
    { ...common, path: LIST_PATH, description: { chapter: 'artifacts', ...LIST }, handle: list },
    { ...common, path: FOLDER_PATH, description: { chapter: 'artifacts', ...LIST }, handle: top },
    { ...common, path: FILE_PATH, description: { chapter: 'artifacts', ...FILE }, handle: file },
  ]);

  async function list(request: ApiRequest): Promise<Answer> {
    return folderAnswer(request, await jobOf(request), '');
  }

  async function top(request: ApiRequest): Promise<Answer> {
    const job = await jobOf(request);
    return isShown(request) ? pageAnswer(request, job) : folderAnswer(request, job, '');
  }

  async function file(request: ApiRequest): Promise<Answer> {
    const { path = '' } = request.params;
    if (isForbidden(path)) throw new Refusal('forbidden', forbidden(path));
    const job = await jobOf(request);
    const own = path.startsWith(OUTPUT_FOLDER) ? await serverFiles(parts, job) : [];
    const isFolder = async (folder: string) => (folder === OUTPUT_FOLDER && own.length > 0) || hasFolder(files, job.id, folder);
    if (request.query.get('format') === 'zip') {
      if (await isFolder(path)) return zipAnswer(job, path);
      throw new Refusal('notFound', artifactGone(path));
    }
    if (path === CHECKSUMS && own.includes(path)) return checksumsAnswer(job);
    const found = await files.find(job.id, path);
    if (found) {
      const isKnown = await isKnownCopy(request, () => bytesOf(storage, job.identifier, found));
      return isKnown ? { status: 304, etag: found.sha256 } : fileAnswer(request, storage, job.identifier, found);
    }
    if (await isFolder(path)) return isShown(request) ? pageAnswer(request, job) : folderAnswer(request, job, path);
    const folder = path.endsWith('.zip') ? path.slice(0, -'.zip'.length) : '';
    if (folder !== '' && (await isFolder(folder))) return zipAnswer(job, folder);
    throw new Refusal('notFound', artifactGone(path));
  }

  async function jobOf({ identity, params }: ApiRequest): Promise<FoundJob> {
    const missing = noJobFile(writtenLocator(params));
    const locator = locatorOf(params);
    if (!locator) throw new Refusal('notFound', missing);
    return visibleJob(parts, identity, locator, missing);
  }

  async function folderAnswer(request: ApiRequest, job: FoundJob, folder: string): Promise<Answer> {
    const after = request.query.get('after') ?? '';
    const listed = await files.listed(job.id, { below: prefixOf(folder), after }, MAX_LISTED + 1);
    const at = addressOf(request);
    const first = firstOf(
      listed.slice(0, MAX_LISTED).map(({ path }) => path),
      at,
    );
    const last = listed.length > first.length ? first.at(-1) : undefined;
    const paths = [...first];
    if (after === '' && ['', OUTPUT_FOLDER].includes(folder)) paths.push(...(await serverFiles(parts, job)));
    const here = folder === '' ? at : `${at}/${encodedPath(folder)}`;
    const nameIn = (path: string) => path.slice(prefixOf(folder).length);
    const inside = paths.map(nameIn).filter((path) => path !== '');
    const sizes = new Map(listed.map(({ path, bytes }) => [nameIn(path), bytes]));
    const headers =
      last === undefined ? [] : ['Link', `<${folder === '' ? `${at}.json` : here}?after=${encodeURIComponent(last)}>; rel="next"`];
    const answer = jsonAnswer(treeOf(inside, here, sizes), { ...JSON_TYPE, headers });
    return { ...answer, etag: etagOfText(answer.text!, request.base, ['"url":"']) };
  }

  async function checksumsAnswer(job: FoundJob): Promise<Answer> {
    const body = await readServerFile(parts, job, CHECKSUMS);
    return { status: 200, ...(body && { body }), type: 'text/plain; charset=utf-8', cacheControl: 'no-store' };
  }

  async function zipAnswer(job: FoundJob, folder: string): Promise<Answer> {
    if (await hasMoreThan(files, job.id, folder, MAX_FILES)) throw new Refusal('invalid', TOO_MANY);
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    const body = Readable.from(zipStream(zipped(job, folder, name), new Date()), { objectMode: false });
    return { status: 200, body, type: 'application/zip', cacheControl: 'no-store', headers: guarded(`${name}.zip`, 'attachment') };
  }

  async function* zipped(job: FoundJob, folder: string, name: string): AsyncGenerator<StreamedEntry> {
    const size = new ArchiveSize();
    /** Before it is opened. */
    const nameOf = (path: string): string => {
      const inArchive = `${name}${path.slice(folder.length)}`;
      // Too late for a refusal: the archive ends early, so that no client takes it for complete.
      if (!size.take(inArchive)) throw new Error(TOO_MANY);
      return inArchive;
    };
    const entry = (path: string, inArchive: string, content: StreamedEntry['content'] | undefined): StreamedEntry => {
      // Purged in the meantime: the same.
      if (content === undefined) throw new Error(artifactGone(path));
      return { name: inArchive, content };
    };
    for await (const file of allBelow(files, job.id, folder)) {
      const { path } = file;
      yield entry(path, nameOf(path), path.endsWith('/') ? '' : await bytesOf(storage, job.identifier, file));
    }
    const own = folder === OUTPUT_FOLDER ? await serverFiles(parts, job) : [];
    for (const path of own) yield entry(path, nameOf(path), await readServerFile(parts, job, path));
  }
}

function isShown(request: ApiRequest): boolean {
  return isNavigation(request.header('accept'), request.header('sec-fetch-dest'));
}

/** People see folders on the page of the job. */
function pageAnswer({ base }: ApiRequest, { identifier: { pipeline, pipelineCounter, stage, stageCounter, job } }: FoundJob): Answer {
  const page = `${base}/tab/build/detail/${encodedPath([pipeline, pipelineCounter, stage, stageCounter, job].join('/'))}?tab=artifacts`;
  return { status: 302, text: '', bytes: 0, type: 'text/plain', cacheControl: 'no-store', headers: ['Location', page] };
}

function addressOf({ base, params }: ApiRequest): string {
  return `${base}/files/${encodedPath(writtenLocator(params))}`;
}
