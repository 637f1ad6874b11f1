// Preflight: files are checked as if they were the content of a config repo.

import type { Config } from '../../../config/current.ts';
import type { Author } from '../../../config/revision.ts';
import type { PreflightOutcome } from '../../../config-repos/preflight/preflight.ts';
import { MAX_SENT_BYTES, type SentFiles, SentFilesReader } from '../../../config-repos/preflight/sent-files.ts';
import { boundaryIn, formParts } from '../../../kit/form/multipart.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';
import { unpackedBody } from '../../http/body/unpacked-body.ts';
import { notFlag } from '../../http/flag-in.ts';
import { configRepoKind } from '../config-repos/config-repo-route.ts';
import { missingParameter, NO_FILES, noSuchPlugin, PREFLIGHT_DESCRIPTION, preflightJson } from './docs.ts';

export interface Preflights {
  hasPlugin(id: string): boolean;
  /** Without a repo: one that does not exist yet. */
  sent(pluginId: string, files: SentFiles, repo: string | undefined, author: Author, gone: AbortSignal): Promise<PreflightOutcome>;
  /** A branch or commit of a repo; refused when it cannot be read. */
  ref(repo: string, ref: string, author: Author, gone: AbortSignal): Promise<PreflightOutcome>;
}

const MULTIPART = 'multipart/form-data';
const CUT_OFF = 'The form is cut off, or its boundary is missing.';
const GONE = 'The client has gone.';
const NO_REF = 'Parameter `ref` is empty. Name a branch or a whole commit id, or leave it out to check files.';
const EITHER = 'Either files or `ref` can be checked, not both.';

export function preflightRoute(config: Config, preflights: Preflights): Route {
  const kind = configRepoKind(config);
  return {
    method: 'POST',
    path: '/api/admin/config_repo_ops/preflight',
    version: 1,
    permission: 'admin',
    notAllowed: () => new Refusal('forbidden', NOT_THIS_ACTION),
    rawBody: { maxBytes: MAX_SENT_BYTES },
    description: PREFLIGHT_DESCRIPTION,
    handle: async (request) => {
      const repo = given(request, 'repoId');
      const entry = repo === undefined ? undefined : mustExist(kind, repo, config.of(kind.name).find(repo));
      const ref = given(request, 'ref');
      if (ref === undefined && request.query.has('ref')) throw new Refusal('malformed', NO_REF);
      const wantsPlan = flagIn(request, 'plan');
      if (ref !== undefined) return jsonAnswer(preflightJson(await ofRef(request, ref, entry?.value.pluginId), wantsPlan));
      const pluginId = given(request, 'pluginId');
      if (pluginId === undefined) throw new Refusal('malformed', missingParameter('pluginId'));
      const files = await filesIn(request);
      if (files.size === 0) return jsonAnswer({ errors: [NO_FILES], valid: false, ...(wantsPlan && { plan: null }) });
      mustHavePlugin(pluginId);
      return jsonAnswer(
        preflightJson(await abortingWhenGone(request, (gone) => preflights.sent(pluginId, files, repo, request.author, gone)), wantsPlan),
      );
    },
  };

  async function ofRef(request: ApiRequest, ref: string, itsPlugin: string | undefined): Promise<PreflightOutcome> {
    const repo = given(request, 'repoId');
    if (repo === undefined) throw new Refusal('malformed', missingParameter('repoId'));
    const pluginId = given(request, 'pluginId') ?? String(itsPlugin);
    if (pluginId !== itsPlugin) throw new Refusal('malformed', `The config repo '${repo}' is read by the plugin '${itsPlugin}'.`);
    if (request.raw.type === MULTIPART) throw new Refusal('malformed', EITHER);
    mustHavePlugin(pluginId);
    return abortingWhenGone(request, (gone) => preflights.ref(repo, ref, request.author, gone));
  }

  function mustHavePlugin(pluginId: string): void {
    if (!preflights.hasPlugin(pluginId)) throw new Refusal('notFound', noSuchPlugin(pluginId));
  }
}

/** Aborts the work when the client has gone. */
async function abortingWhenGone<T>(request: ApiRequest, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const stopWatching = request.onGone(() => gone.abort(new Refusal('unavailable', GONE)));
  try {
    return await work(gone.signal);
  } finally {
    stopWatching();
  }
}

/** Anything but a form holds no files. */
async function filesIn(request: ApiRequest): Promise<SentFiles> {
  const reader = new SentFilesReader();
  if (request.raw.type !== MULTIPART) return reader.files;
  const boundary = boundaryIn(request.header('content-type') ?? '');
  const pieces = (await unpackedBody(request, MAX_SENT_BYTES).toArray()) as Buffer[];
  const parts = boundary === undefined ? undefined : formParts(Buffer.concat(pieces), boundary);
  for (let next = parts?.next(); next; next = parts?.next()) {
    if (!next.done) reader.take(next.value);
    else if (next.value) return reader.files;
    else break;
  }
  throw new Refusal('malformed', CUT_OFF);
}

/** Blank is not given. */
function given({ query }: ApiRequest, name: string): string | undefined {
  return query.get(name)?.trim() || undefined;
}

function flagIn(request: ApiRequest, name: string): boolean {
  const value = given(request, name) ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Refusal('malformed', notFlag(value, name));
}
