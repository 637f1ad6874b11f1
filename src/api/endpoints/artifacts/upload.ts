// People add files to the artifacts of jobs, and add to files.
import type { Access } from '../../../access/may.ts';
import { pathProblem } from '../../../artifacts/paths.ts';
import type { UploadTarget } from '../../../artifacts/uploads/upload-parts.ts';
import { type Uploads, uploadFailure } from '../../../artifacts/uploads/uploads.ts';
import { keyOfName } from '../../../builds/configured.ts';
import type { Consoles } from '../../../builds/console/consoles.ts';
import { MAX_CONSOLE_CHUNK } from '../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import type { Answer, ApiRequest, Route } from '../../engine/route.ts';
import { confirmations, tooLarge } from '../../http/body/body.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { noJobFile } from '../consoles/docs.ts';
import { type ConsoleJobs, type FoundJob, locatorOf, writtenLocator } from '../consoles/jobs.ts';
import { FILE_PATH, FOLDER_PATH, forbidden, isForbidden } from './docs.ts';
import { bodyOf, boundaryOf, takeForm } from './sent-form.ts';
import { CONSOLE } from './server-files.ts';
import { APPEND, appended, CREATE, CREATE_AT_TOP, created, fileExists, PURGED, SIZE_HEADER } from './upload-docs.ts';

export interface ArtifactUploadParts {
  readonly jobs: ConsoleJobs;
  readonly access: Pick<Access, 'mayOperate' | 'passes'>;
  readonly uploads: Uploads;
  readonly consoles: Pick<Consoles, 'add' | 'end'>;
  /** Whether there is room for an upload of so many bytes. */
  hasRoomFor(bytes: number): boolean;
  /** The artifacts of the stage run that this job belongs to were deleted. */
  isPurged(job: number): Promise<boolean>;
  /** The job does something. */
  touch(job: number): void;
}

const LONG = { maxBytes: Number.MAX_SAFE_INTEGER, isLong: true };
const common = { permission: 'user', version: null, rawBody: LONG } as const;
const QUERY = { query: { dry_run: {} } };
const LINE_FEED = '\n';

export function artifactUploadRoutes(parts: ArtifactUploadParts): Route[] {
  const { jobs, access, uploads, consoles } = parts;
  return ofKeeper([
    { ...common, path: FOLDER_PATH, method: 'POST', description: { chapter: 'artifacts', ...CREATE_AT_TOP }, handle: create },
    { ...common, path: FILE_PATH, method: 'POST', description: { chapter: 'artifacts', ...CREATE }, handle: create },
    { ...common, path: FILE_PATH, method: 'PUT', description: { chapter: 'artifacts', ...APPEND }, handle: append },
  ]);

  async function create(request: ApiRequest): Promise<Answer> {
    // A form of any page could send this: the header it could not.
    if (confirmations((name) => request.header(name)).length === 0)
      throw new Refusal('unconfirmed', "Missing required header 'X-Svc-Confirm' with value 'true'");
    const { job, path } = await wanted(request);
    if (hasNoRoom(request)) return { status: 413 };
    boundaryOf(request);
    if (path !== '') mustBePath(path);
    if (await uploads.find(job.id, path)) throw new Refusal('forbidden', fileExists(path));
    const { isDryRun } = request;
    const existing = await withUploadFailures(async () => {
      await using upload = uploads.open(targetOf(job));
      await takeForm(request, uploads, upload, path);
      // It is forgotten when this ends.
      return await upload.publish({ isDryRun });
    });
    if (existing !== undefined) throw new Refusal('forbidden', fileExists(existing));
    return textAnswer(201, created(path));
  }

  async function append(request: ApiRequest): Promise<Answer> {
    const { job, path } = await wanted(request);
    if (hasNoRoom(request)) return { status: 413 };
    const { isDryRun } = request;
    await withUploadFailures(async () => {
      if (path === CONSOLE) return appendToConsole(request, job);
      mustBePath(path);
      await using spool = await uploads.spool(bodyOf(request));
      await uploads.append(targetOf(job), path, spool, { isDryRun });
    });
    return textAnswer(200, appended(path));
  }

  /** Whole lines, so that the next output of the agent is a line of its own. */
  async function appendToConsole(request: ApiRequest, { id, identifier, isActive }: FoundJob): Promise<void> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of bodyOf(request)) {
      length += piece.length;
      if (length > MAX_CONSOLE_CHUNK) throw tooLarge(MAX_CONSOLE_CHUNK);
      pieces.push(piece);
    }
    const text = Buffer.concat(pieces).toString('utf8');
    if (text === '' || request.isDryRun) return;
    await consoles.add(identifier, text.endsWith(LINE_FEED) ? text : text + LINE_FEED);
    parts.touch(id);
    if (!isActive) consoles.end(identifier);
  }

  /** For users who may operate the pipeline. Others must not learn whether the job exists. */
  async function wanted({ identity, params, query }: ApiRequest): Promise<{ readonly job: FoundJob; readonly path: string }> {
    mustBeKnown(query, QUERY);
    const missing = new Refusal('notFound', noJobFile(writtenLocator(params)));
    const locator = locatorOf(params);
    if (!locator) throw missing;
    const found = await jobs.find(locator);
    const group = found?.group ?? jobs.groupOf(locator.pipeline);
    const may =
      group === undefined ? access.passes(identity, 'groupAdmin') : access.mayOperate(identity, { group, pipeline: locator.pipeline });
    if (!may) throw new Refusal('forbidden', NOT_THIS_ACTION);
    if (!found) throw missing;
    const { path = '' } = params;
    if (isForbidden(path)) throw new Refusal('forbidden', forbidden(path));
    return { job: found, path };
  }

  function targetOf({ id, identifier }: FoundJob): UploadTarget {
    const mustTake = async () => {
      // It may have been given to another agent, which begins anew.
      if ((await jobs.find(identifier))?.id !== id) throw new Refusal('notFound', noJobFile(Object.values(identifier).join('/')));
      if (await parts.isPurged(id)) throw new Refusal('conflict', PURGED);
    };
    return { id, pipelineKey: keyOfName(identifier.pipeline), identifier, mustTake };
  }

  function hasNoRoom(request: ApiRequest): boolean {
    const announced = request.header(SIZE_HEADER.toLowerCase()) ?? '0';
    if (!/^\d+$/.test(announced)) throw new Refusal('malformed', `The header ${SIZE_HEADER} must be a number of bytes, such as 1048576.`);
    return !parts.hasRoomFor(Number(announced));
  }
}

function mustBePath(path: string): void {
  const problem = pathProblem(path);
  if (problem) throw new Refusal('invalid', problem);
}

async function withUploadFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    throw uploadFailure(failure);
  }
}

function textAnswer(status: number, text: string): Answer {
  return { status, text, bytes: Buffer.byteLength(text), type: 'text/plain; charset=utf-8' };
}
