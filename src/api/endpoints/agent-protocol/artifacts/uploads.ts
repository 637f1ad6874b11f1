// Agents send files: one after the other in requests of their own, or many small ones as an archive.
import { pathProblem } from '../../../../artifacts/paths.ts';
import { NOT_JOB_OF_AGENT, type PublishingJob } from '../../../../artifacts/publications.ts';
import type { ArtifactStorage, IncomingFile, SmallFile } from '../../../../artifacts/storage/storage.ts';
import {
  ARTIFACT_ARCHIVE_PATH,
  ARTIFACT_FILE_PATH,
  type ArchiveAnswer,
  type ArtifactAnswer,
  MAX_ARCHIVED_BYTES,
  MAX_ARTIFACTS_AT_ONCE,
} from '../../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { BadArchive } from '../../../../kit/tar/bad-archive.ts';
import { readTar } from '../../../../kit/tar/read.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../../engine/route.ts';
import { piecesOf } from '../../../http/body/long-bodies.ts';
import { mustBeKnown } from '../../../http/known-query.ts';
import { neededNumber } from '../../common/number-in.ts';
import { type AgentAccess, agentOf } from '../agent-of.ts';
import { announcedSize, cutOff, idIn, mustHaveRoom, mustStillHaveRoom, type RoomParts, refusalOf, routeOf } from './common.ts';
import { SEND_ARCHIVE, SEND_FILE, WRONG_OFFSET } from './docs.ts';
import type { ArtifactJobs } from './jobs.ts';

export interface UploadParts extends RoomParts {
  readonly access: AgentAccess;
  readonly jobs: Pick<ArtifactJobs, 'ownerOf'>;
  readonly storage: Pick<ArtifactStorage, 'receive' | 'receiveAll'>;
}

const LONG = { maxBytes: Number.POSITIVE_INFINITY, isLong: true };
const ANSWER = { type: 'application/json', cacheControl: 'no-store' };
const LIMITS = { maxEntries: MAX_ARTIFACTS_AT_ONCE, maxBytes: MAX_ARCHIVED_BYTES };

export function uploadRoutes(parts: UploadParts): Route[] {
  const { access, storage } = parts;
  return [
    routeOf(access, {
      method: 'PUT',
      path: ARTIFACT_FILE_PATH,
      rawBody: LONG,
      description: SEND_FILE,
      before: (request) => {
        mustHaveRoom(parts, (announcedSize(request) ?? 0) - neededNumber(request, 'offset'));
        return [];
      },
      handle: sendFile,
    }),
    routeOf(access, {
      method: 'PUT',
      path: ARTIFACT_ARCHIVE_PATH,
      rawBody: LONG,
      description: SEND_ARCHIVE,
      before: (request) => {
        mustHaveRoom(parts, announcedSize(request) ?? 0);
        return [];
      },
      handle: sendArchive,
    }),
  ];

  async function sendFile(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, SEND_FILE);
    const path = request.query.get('path') ?? '';
    const problem = pathProblem(path);
    if (problem) throw new Refusal('invalid', problem);
    const offset = neededNumber(request, 'offset');
    const { id: job, epoch } = await owner(request);
    try {
      const file = await storage.receive({ job, epoch }, path, offset === 0 ? 'start' : 'end');
      const length = await received(file, offset, request);
      return jsonAnswer({ length } satisfies ArtifactAnswer, ANSWER);
    } catch (failure) {
      // Discards the rest of the body: unread, it would hold the connection for ever.
      request.raw.stream.resume();
      throw refusalOf(failure);
    }
  }

  async function received(file: IncomingFile, offset: number, request: ApiRequest): Promise<number> {
    let isClosed = false;
    try {
      const { length } = file;
      if (length !== offset) throw new Refusal('conflict', WRONG_OFFSET, { more: { length } satisfies ArtifactAnswer });
      await takeBody(request, (piece) => {
        mustStillHaveRoom(parts, piece);
        return file.append(piece);
      });
      // The job may have been given to another agent while the body came.
      await owner(request);
      isClosed = true;
      // A file that is still incomplete is not read once more.
      if (file.length < (announcedSize(request) ?? 0)) await file.close();
      else await file.finish();
      return file.length;
    } finally {
      if (!isClosed) await file.close();
    }
  }

  async function sendArchive(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, SEND_ARCHIVE);
    const { id: job, epoch } = await owner(request);
    try {
      const files = await storage.receiveAll({ job, epoch }, filesIn(request, parts));
      await owner(request);
      return jsonAnswer({ files } satisfies ArchiveAnswer, ANSWER);
    } catch (failure) {
      // Discards the rest of the body: unread, it would hold the connection for ever.
      request.raw.stream.resume();
      throw refusalOf(failure);
    }
  }

  async function owner(request: ApiRequest): Promise<PublishingJob> {
    const { uuid } = agentOf(access, request);
    const job = await parts.jobs.ownerOf(idIn(request, 'job'), neededNumber(request, 'epoch'), uuid);
    if (!job) throw new Refusal('conflict', NOT_JOB_OF_AGENT);
    return job;
  }
}

/** A failure of `take` is thrown as it is; a failure of the body, as a body that was cut off. */
async function takeBody({ raw }: ApiRequest, take: (piece: Buffer) => Promise<void>): Promise<void> {
  const pieces = piecesOf(raw.stream);
  try {
    for (;;) {
      const { value, done } = await pieces.next().catch(() => Promise.reject(cutOff()));
      if (done) return;
      await take(value);
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** The whole archive is refused where one of its names is not that of an artifact. Folders come with the publication. */
async function* filesIn({ raw }: ApiRequest, parts: RoomParts): AsyncGenerator<SmallFile> {
  const known = new Set<string>();
  for await (const entry of readTar(wholeBody(raw.stream), LIMITS)) {
    const problem = pathProblem(entry.path);
    if (problem) throw new Refusal('invalid', problem);
    if (entry.type === 'folder') continue;
    if (known.has(entry.path)) throw new BadArchive(`'${entry.path}' is in it twice`);
    known.add(entry.path);
    mustStillHaveRoom(parts, entry.bytes);
    yield { path: entry.path, bytes: entry.bytes };
  }
}

async function* wholeBody(stream: ApiRequest['raw']['stream']): AsyncGenerator<Buffer> {
  try {
    yield* piecesOf(stream);
  } catch {
    throw cutOff();
  }
}
