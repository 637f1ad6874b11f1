// The common part of the routes of artifacts: the check of the agent, numbers and sizes in requests, and refusals.
import { pathBlocked } from '../../../../artifacts/path-blocked.ts';
import { TOO_LONG } from '../../../../artifacts/paths.ts';
import { FileInUse } from '../../../../artifacts/storage/storage.ts';
import type { ArtifactAnswer } from '../../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { BadArchive } from '../../../../kit/tar/bad-archive.ts';
import type { ApiRequest, Route, RouteDescription } from '../../../engine/route.ts';
import { type AgentAccess, agentOf } from '../agent-of.ts';
import { NO_NUMBER } from '../docs.ts';
import { CUT_OFF, NO_ROOM, NO_SPACE } from './docs.ts';

export interface RoomParts {
  /** Whether the disk has room for a file of this size. */
  hasRoomFor(bytes: number): boolean;
}

const SIZE_HEADER = 'x-svc-artifact-size';
const RETRY_SECONDS = 10;
const FULL_DISK: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

type Own = Pick<Route, 'method' | 'path' | 'handle' | 'rawBody'> &
  Partial<Pick<Route, 'before'>> & { description: Omit<RouteDescription, 'chapter'> };

/** The body is read only if the agent has sent a valid token. */
export function routeOf(access: AgentAccess, { description, before, ...route }: Own): Route {
  return {
    ...route,
    version: null,
    permission: 'anyone',
    worksInMaintenance: true,
    isRoutine: true,
    description: { chapter: 'agent-protocol', ...description },
    before: (request) => {
      agentOf(access, request);
      return before?.(request) ?? [];
    },
  };
}

export function idIn({ params }: ApiRequest, name: string): number {
  const id = /^\d{1,15}$/.exec(params[name] ?? '')?.[0];
  if (id === undefined) throw new Refusal('notFound', NO_NUMBER);
  return Number(id);
}

/** The size of the upload, as the agent announces it; undefined: it does not. */
export function announcedSize(request: ApiRequest): number | undefined {
  const given = request.header(SIZE_HEADER);
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new Refusal('malformed', '`X-Svc-Artifact-Size` must be a number of bytes.');
}

/** Refuses an upload for which the disk has no room, before it begins. */
export function mustHaveRoom({ hasRoomFor }: RoomParts, bytes: number): void {
  if (bytes > 0 && !hasRoomFor(bytes)) throw new Refusal('tooLarge', NO_ROOM);
}

/** Refuses a piece of an upload, of any announced size, for which the disk has no room: it may be the disk of the database. */
export function mustStillHaveRoom({ hasRoomFor }: RoomParts, piece: Buffer): void {
  if (!hasRoomFor(piece.length)) throw noSpace();
}

function noSpace(): Refusal {
  return new Refusal('insufficientStorage', NO_SPACE, { retryAfter: RETRY_SECONDS });
}

/** The failure of an upload as a refusal with a message. */
export function refusalOf(failure: unknown): unknown {
  if (failure instanceof FileInUse)
    return new Refusal('conflict', failure.message, { more: { length: failure.length } satisfies ArtifactAnswer, retryAfter: 1 });
  if (failure instanceof BadArchive) return new Refusal('invalid', failure.message);
  if ((failure as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return new Refusal('invalid', TOO_LONG);
  if (FULL_DISK.has((failure as NodeJS.ErrnoException).code)) return noSpace();
  return pathBlocked(failure) ?? failure;
}

/** The client is gone, or was too slow. */
export function cutOff(): Refusal {
  return new Refusal('malformed', CUT_OFF);
}
