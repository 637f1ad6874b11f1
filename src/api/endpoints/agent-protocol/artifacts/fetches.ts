// Agents read the artifacts that their fetch tasks name, and no others.
import { Readable } from 'node:stream';
import { FetchedArtifacts } from '../../../../artifacts/fetched-artifacts.ts';
import { NOT_JOB_OF_AGENT } from '../../../../artifacts/publications.ts';
import type { JobIdentifier } from '../../../../artifacts/stage-run.ts';
import type { ArtifactStorage, ByteRange } from '../../../../artifacts/storage/storage.ts';
import type { Consoles } from '../../../../builds/console/consoles.ts';
import {
  FETCHED_ARCHIVE_PATH,
  FETCHED_FILE_PATH,
  FETCHED_LIST_PATH,
  type FetchedArchive,
  type FetchedList,
  MAX_ARTIFACTS_AT_ONCE,
} from '../../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { TAR_END, tarHead, tarTail } from '../../../../kit/tar/write.ts';
import type { JsonObject } from '../../../../shape/json/json.ts';
import type { Artifact, Artifacts } from '../../../../store/builds/artifacts.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../../engine/route.ts';
import { readUntrustedJson } from '../../../http/body/body.ts';
import { byteRangeOf } from '../../../http/headers/byte-range.ts';
import { mustBeKnown } from '../../../http/known-query.ts';
import { neededNumber } from '../../common/number-in.ts';
import { type AgentAccess, agentOf } from '../agent-of.ts';
import { idIn, routeOf } from './common.ts';
import { contentsOf } from './contents.ts';
import { LIST_FETCHED, NO_RANGE, NO_TASK, otherKind, READ_ARCHIVE, READ_FETCHED, TOO_MANY, unavailable } from './docs.ts';
import { consoleRow } from './fetched-console.ts';
import type { ArtifactJobs } from './jobs.ts';

export interface FetchParts {
  readonly access: AgentAccess;
  readonly jobs: Pick<ArtifactJobs, 'fetchOf'>;
  readonly artifacts: Artifacts;
  readonly storage: Pick<ArtifactStorage, 'read' | 'readAll'>;
  readonly consoles: Pick<Consoles, 'read'>;
}

interface Source {
  readonly identifier: JobIdentifier;
  readonly fetched: FetchedArtifacts;
  readonly isConsole: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;
const BINARY = 'application/octet-stream';
const TAR = 'application/x-tar';
const PIECE_BYTES = 64 * 1024;

export function fetchRoutes(parts: FetchParts): Route[] {
  const { access, jobs, artifacts, storage, consoles } = parts;
  return [
    routeOf(access, { method: 'GET', path: FETCHED_LIST_PATH, description: LIST_FETCHED, handle: list }),
    routeOf(access, { method: 'GET', path: FETCHED_FILE_PATH, description: READ_FETCHED, handle: file }),
    routeOf(access, {
      method: 'POST',
      path: FETCHED_ARCHIVE_PATH,
      rawBody: { maxBytes: MAX_BYTES },
      description: READ_ARCHIVE,
      handle: archive,
    }),
  ];

  async function list(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, LIST_FETCHED);
    const { fetched } = await sourceOf(request, neededNumber(request, 'epoch'));
    const page: FetchedList = await fetched.list(request.query.get('after') ?? '', MAX_ARTIFACTS_AT_ONCE);
    return jsonAnswer(page, { type: 'application/json', cacheControl: 'no-store' });
  }

  async function file(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, READ_FETCHED);
    const path = request.query.get('path') ?? '';
    const source = await sourceOf(request, neededNumber(request, 'epoch'));
    const [row] = (await source.fetched.files([path])) ?? [];
    if (!row) throw new Refusal('notFound', unavailable(path));
    const range = byteRangeOf(request.header('range'), row.bytes);
    if (range === 'unsatisfiable')
      return jsonAnswer(
        { message: NO_RANGE },
        { status: 416, type: 'application/json', headers: ['Content-Range', `bytes */${row.bytes}`] },
      );
    const body = row.bytes === 0 ? Readable.from([]) : await read(source, row.path, range ?? { start: 0, end: row.bytes - 1 });
    if (!body) throw new Refusal('notFound', unavailable(row.path));
    const length = range ? range.end - range.start + 1 : row.bytes;
    const headers = ['Content-Length', String(length), 'Accept-Ranges', 'bytes'];
    const common = { body, type: BINARY, etag: row.sha256, cacheControl: 'no-store' };
    if (!range) return { ...common, status: 200, headers };
    return { ...common, status: 206, headers: [...headers, 'Content-Range', `bytes ${range.start}-${range.end}/${row.bytes}`] };
  }

  async function archive(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, READ_ARCHIVE);
    const { epoch, paths } = archiveIn(await readUntrustedJson(request));
    const source = await sourceOf(request, epoch);
    const rows = source.isConsole ? undefined : await source.fetched.files(paths);
    if (!rows) throw new Refusal('notFound', unavailable(await firstMissing(source.fetched, paths)));
    const pieces = inLargePieces(tarOf(source.identifier, rows, paths));
    // Before the answer begins: a file at its front that is gone gets 404. After an early end the agent asks for the rest again and again.
    const first = await pieces.next();
    return {
      status: 200,
      type: TAR,
      cacheControl: 'no-store',
      body: Readable.from(startingWith(first, pieces), { objectMode: false }),
    };
  }

  async function sourceOf(request: ApiRequest, epoch: number): Promise<Source> {
    const { uuid } = agentOf(access, request);
    const from = await jobs.fetchOf(idIn(request, 'job'), epoch, uuid, idIn(request, 'fetch'));
    if (from === 'not yours') throw new Refusal('conflict', NOT_JOB_OF_AGENT);
    if (!from) throw new Refusal('notFound', NO_TASK);
    const consoleFile = await consoleRow(consoles, from);
    const fetched = consoleFile
      ? FetchedArtifacts.ofFile(artifacts, consoleFile)
      : await FetchedArtifacts.find(artifacts, from.job.id, from.source);
    if (!fetched) throw new Refusal('notFound', unavailable(from.source));
    if (fetched.isFile !== from.isFile) throw new Refusal('notFound', otherKind(from.source, fetched.isFile));
    return { identifier: from.job.identifier, fetched, isConsole: consoleFile !== undefined };
  }

  async function read({ identifier, isConsole }: Source, path: string, range: ByteRange): Promise<Readable | undefined> {
    if (isConsole) return (await consoles.read(identifier, 0, false, () => range))?.stream;
    return storage.read(identifier, path, range);
  }

  /** `names`: the paths in the request of the agent. */
  async function* tarOf(job: JobIdentifier, rows: readonly Artifact[], names: readonly string[]): AsyncGenerator<Buffer> {
    let index = 0;
    for await (const { row, content } of contentsOf(storage, job, rows)) {
      if (!content) throw new Refusal('notFound', unavailable(row.path));
      yield tarHead({ path: names[index++]!, bytes: row.bytes });
      let read = 0;
      for await (const piece of content) {
        read += piece.length;
        yield piece;
      }
      // Once the answer has begun, only an early end can report that the file is gone.
      if (read !== row.bytes) throw new Error(unavailable(row.path));
      yield tarTail(row.bytes);
    }
    yield TAR_END;
  }
}

async function* startingWith<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** A connection takes few large pieces faster than many small ones. */
async function* inLargePieces(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [parts, length]: [Buffer[], number] = [[], 0];
  for await (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(parts, length);
    [parts, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(parts, length);
}

async function firstMissing(fetched: FetchedArtifacts, paths: readonly string[]): Promise<string> {
  for (const path of paths) if (!(await fetched.files([path]))) return path;
  return '';
}

function archiveIn({ epoch, paths }: JsonObject): FetchedArchive {
  if (typeof epoch !== 'number' || !Number.isSafeInteger(epoch))
    throw new Refusal('invalid', '`epoch` must be the number in the work of the job.');
  if (!Array.isArray(paths)) throw new Refusal('invalid', '`paths` must be a list of paths.');
  if (paths.length > MAX_ARTIFACTS_AT_ONCE) throw new Refusal('invalid', TOO_MANY);
  return {
    epoch,
    paths: paths.map((path) => {
      if (typeof path !== 'string') throw new Refusal('invalid', '`paths` must be a list of paths.');
      return path;
    }),
  };
}
