// Addresses at which files of one folder can be read for a while without a login, for reports: as pages without rights they send none.

import { keyOf, type Users } from '../../../../access/users/users.ts';
import { artifactGone } from '../../../../artifacts/artifact-gone.ts';
import { plainPath } from '../../../../artifacts/paths.ts';
import type { JobIdentifier } from '../../../../artifacts/stage-run.ts';
import type { ArtifactStorage } from '../../../../artifacts/storage/storage.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { ofKeeper } from '../../../engine/keeper-routes.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../../engine/route.ts';
import { mustBeKnown } from '../../../http/known-query.ts';
import { NOT_BY_TOKEN } from '../../access-tokens/docs.ts';
import { encodedPath } from '../../common/encoded-path.ts';
import { noJob } from '../../consoles/docs.ts';
import { type JobAccessParts, visibleJob, writtenLocator } from '../../consoles/jobs.ts';
import { locatorIn } from '../../consoles/readable.ts';
import { isScriptOfPage, SANDBOX } from '../content-type.ts';
import { isForbidden } from '../docs.ts';
import { type FileSource, fileAnswer } from '../file-answer.ts';
import type { PublishedFiles } from '../published.ts';
import { ADDRESS_PATH, EXPIRED, GET_ADDRESS, NO_PATH, NO_VIEW, VIEW, VIEW_FOLDER, VIEW_PATH } from './docs.ts';
import { expiryFrom, isExpired, type Sign, tokenOf, type View, viewIn } from './token.ts';

export interface ArtifactViewParts extends JobAccessParts {
  readonly files: Pick<PublishedFiles, 'find'>;
  readonly storage: Pick<ArtifactStorage, 'read'>;
  readonly users: Pick<Users, 'find'>;
  readonly sign: Sign;
  identifierOf(job: number): Promise<JobIdentifier | undefined>;
  /** Returns when all that other servers have acknowledged is known here: rights may have been taken away there. */
  refresh(): Promise<void>;
}

/** A report must not send its address to other sites, and its own parts may be read by it: it has no origin to be named. */
const OF_REPORTS = ['Referrer-Policy', 'no-referrer', 'Access-Control-Allow-Origin', '*'] as const;
const noView = () => new Refusal('notFound', NO_VIEW);

export function artifactViewRoutes(parts: ArtifactViewParts): Route[] {
  const { jobs, access, files, storage, users, sign } = parts;
  /** Without links to a bucket: a report may load only files from this server. */
  const readHere: FileSource = { read: (job, path, range) => storage.read(job, path, range) };
  const common = { method: 'GET' } as const;
  return ofKeeper([
    {
      ...common,
      path: ADDRESS_PATH,
      version: 1,
      permission: 'user',
      isNeverCompressed: true,
      description: { chapter: 'artifacts', ...GET_ADDRESS },
      handle: getAddress,
    },
    { ...common, path: VIEW_PATH, version: null, permission: 'anyone', description: { chapter: 'artifacts', ...VIEW }, handle: view },
  ]);

  async function getAddress(request: ApiRequest): Promise<Answer> {
    const { identity, params, query, base } = request;
    mustBeKnown(query, GET_ADDRESS);
    // It would outlive the token, its addresses and its scopes. With the token itself the file can be read anyway.
    if (identity.tokenId !== null) throw new Refusal('forbidden', NOT_BY_TOKEN);
    const { id } = await visibleJob(parts, identity, locatorIn(request), noJob(writtenLocator(params)));
    const path = plainPath(query.get('path') ?? '');
    if (path === '') throw new Refusal('malformed', NO_PATH);
    if (!(await files.find(id, path))) throw new Refusal('notFound', artifactGone(path));
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const expiresAt = expiryFrom(Date.now());
    const token = tokenOf({ userKey: keyOf(identity.loginName), job: id, folder, expiresAt }, sign);
    const url = `${base}${VIEW_FOLDER}/${token}/${encodedPath(path)}`;
    return jsonAnswer({ url, expires_at: new Date(1000 * expiresAt).toISOString() }, { cacheControl: 'no-store' });
  }

  async function view(request: ApiRequest): Promise<Answer> {
    if (isScriptOfPage(request.header('sec-fetch-dest'), request.header('sec-fetch-site'))) throw noView();
    const { address = '' } = request.params;
    const end = address.indexOf('/');
    const path = address.slice(end + 1);
    // One that ends with a slash is that of an empty folder.
    const isFile = end > 0 && !isForbidden(path) && !path.endsWith('/');
    const allowed = isFile ? viewIn(address.slice(0, end), path, sign) : undefined;
    if (!allowed) throw noView();
    if (isExpired(allowed, Date.now())) return expired();
    await parts.refresh();
    const job = await jobSeenBy(allowed);
    const found = job && (await files.find(allowed.job, path));
    if (!found) throw noView();
    const answer = await fileAnswer(request, readHere, job, found);
    return { ...answer, headers: [...(answer.headers ?? []), ...OF_REPORTS] };
  }

  /** A client with the address sees no more than the user it was issued to may see now. */
  async function jobSeenBy({ userKey, job }: View): Promise<JobIdentifier | undefined> {
    const user = users.find(userKey);
    if (!user?.enabled) return undefined;
    const found = await parts.identifierOf(job);
    const group = found && jobs.groupOf(found.pipeline);
    if (!found || group === undefined) return undefined;
    return access.mayView({ loginName: user.loginName }, { group, pipeline: found.pipeline }) ? found : undefined;
  }
}

/** People see it in the frame of a report. */
function expired(): Answer {
  const headers = ['Content-Security-Policy', SANDBOX, ...OF_REPORTS];
  return {
    status: 410,
    text: EXPIRED,
    bytes: Buffer.byteLength(EXPIRED),
    type: 'text/plain; charset=utf-8',
    cacheControl: 'no-store',
    headers,
  };
}
