// Consoles: their lines as JSON, as a stream, as they stand in the file; and the output that agents send.
import { Readable } from 'node:stream';
import type { Identity } from '../../../access/identity.ts';
import type { Consoles } from '../../../builds/console/consoles.ts';
import { type LineBlock, linesIn } from '../../../builds/console/lines.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import type { Answer, ApiRequest, Route } from '../../engine/route.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { ofBuildKeeper } from '../agents/keeper.ts';
import { ANY_NUMBER, notInRange, numberIn } from '../common/number-in.ts';
import { type AppendParts, appendRoute } from './append.ts';
import { FILE, FILE_PATH, LIMIT, LINES, LINES_PATH, noConsole, noJobFile, STREAM, STREAM_TYPE, TOO_MANY_STREAMS } from './docs.ts';
import { fileAnswer, type WantedRange, wantedRange } from './file-range.ts';
import { type FollowLimits, FollowStreams } from './follow-streams.ts';
import { type JobAccessParts, locatorOf, visibleJob, writtenLocator } from './jobs.ts';
import { locatorIn, readable } from './readable.ts';
import { searchAndSectionsRoutes } from './search-and-sections.ts';

export interface ConsoleRouteParts extends JobAccessParts, AppendParts {
  readonly consoles: Consoles;
  /** Whether a user who was let in would be let in again. */
  isStillAllowed(identity: Identity): boolean;
  /** Ends the streams. */
  readonly stopping: AbortSignal;
  readonly streams?: FollowLimits;
}

const RETRY_SECONDS = 10;
const common = { method: 'GET', permission: 'user' } as const;

export function consoleRoutes(parts: ConsoleRouteParts): Route[] {
  const { consoles, jobs, access, isStillAllowed } = parts;
  const streams = new FollowStreams(parts.stopping, parts.streams);
  return ofKeeper([
    { ...common, path: LINES_PATH, version: 1, description: { chapter: 'consoles', ...LINES }, handle: lines },
    { ...common, path: LINES_PATH, version: null, media: STREAM_TYPE, description: { chapter: 'consoles', ...STREAM }, handle: follow },
    { ...common, path: FILE_PATH, version: null, description: { chapter: 'consoles', ...FILE }, handle: file },
    ...ofBuildKeeper([appendRoute(parts)]),
    ...searchAndSectionsRoutes(parts),
  ]);

  async function lines(request: ApiRequest): Promise<Answer> {
    const from = firstLine(request);
    const limit = numberIn(request.query, 'limit', LIMIT) ?? Number.POSITIVE_INFINITY;
    const { identifier, isActive } = await readable(parts, request);
    const size = (await consoles.size(identifier)) ?? 0;
    const body = Readable.from(asJsonLines(consoles.lines(identifier, from, isActive), limit), { objectMode: false });
    return { status: 200, body, etag: `${size}-${from}-${limit}-${isActive ? 'active' : 'completed'}` };
  }

  async function follow(request: ApiRequest): Promise<Answer> {
    const from = afterLast(request) ?? firstLine(request);
    const { identity } = request;
    const locator = locatorIn(request);
    const { identifier, group } = await readable(parts, request);
    if (streams.isFull) throw new Refusal('unavailable', TOO_MANY_STREAMS, { retryAfter: RETRY_SECONDS });
    const isActive = async () => (await jobs.find({ ...locator, ...identifier }))?.isActive ?? false;
    const { pipeline } = identifier;
    // Its pipeline may be in another group meanwhile.
    const mayView = () => access.mayView(identity, { group: jobs.groupOf(pipeline) ?? group, pipeline });
    const body = streams.open({
      blocks: (signal) => consoles.follow(identifier, { from, isActive, signal }),
      isStillAllowed: () => isStillAllowed(identity) && mayView(),
    });
    // Proxies must hand on each line when it comes.
    return { status: 200, body, type: STREAM_TYPE, cacheControl: 'no-store', headers: ['X-Accel-Buffering', 'no'] };
  }

  async function file(request: ApiRequest): Promise<Answer> {
    const { identity, params, query } = request;
    const from = numberIn(query, 'startLineNumber', ANY_NUMBER) ?? 0;
    const missing = noJobFile(writtenLocator(params));
    const locator = locatorOf(params);
    if (!locator) throw new Refusal('notFound', missing);
    const { identifier, isActive } = await visibleJob(parts, identity, locator, missing);
    let range: WantedRange;
    const found = await consoles.read(identifier, from, isActive, (bytes) => {
      range = wantedRange(request, bytes, `${bytes}-0`);
      return range === 'unsatisfiable' ? undefined : range;
    });
    if (!found && !isActive) throw new Refusal('notFound', noConsole(identifier.job));
    return fileAnswer(found ?? { bytes: 0, stream: Readable.from([]), version: `0-${from}` }, range);
  }
}

function firstLine({ query }: ApiRequest): number {
  mustBeKnown(query, LINES);
  return numberIn(query, 'from', ANY_NUMBER) ?? 0;
}

/** An empty one is sent by clients that have no line yet. */
function afterLast(request: ApiRequest): number | undefined {
  const given = request.header('last-event-id')?.trim();
  if (!given) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given) + 1;
  throw new Refusal('malformed', notInRange(given, 'Last-Event-ID', ANY_NUMBER));
}

async function* asJsonLines(blocks: AsyncIterable<LineBlock>, limit: number): AsyncGenerator<string> {
  let left = limit;
  for await (const block of blocks) {
    const lines = linesIn(block).slice(0, left);
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    left -= lines.length;
    if (left <= 0) return;
  }
}
