// The dashboard: in the form of GoCD, in a short form for clients that follow it, and the views of the user.

import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import { keyOf } from '../../../access/users/users.ts';
import type { DashboardIndex } from '../../../builds/dashboard/dashboard-index.ts';
import { type DashboardView, type DashboardViews, viewNamed, viewsEtag } from '../../../builds/dashboard/views.ts';
import type { Config } from '../../../config/current.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { namesEtag } from '../../../shape/json/etag.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { checkIfMatchEtag, mustSendIfMatch } from '../../engine/verbs/precondition.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { ofBuildKeeper } from '../agents/keeper.ts';
import { callerOf } from './caller.ts';
import { CompactAnswers } from './compact-answer.ts';
import { BEING_PROCESSED, DASHBOARD_CHAPTER, REPLACE_VIEWS, SHOW, SHOW_ROWS, SHOW_VIEWS } from './docs.ts';
import { readViews } from './read-views.ts';
import { referenceText } from './reference-answer.ts';

export interface DashboardRouteParts {
  /** Only of use on the server that runs builds. */
  readonly index: DashboardIndex;
  readonly views: DashboardViews;
  readonly access: Pick<Access, 'effectiveGroupRights' | 'mayOperate' | 'may'>;
  readonly config: Config;
  /** Refuses a user who was deleted, or whose authorization configuration was, since the request was let in. */
  revalidate(identity: Identity): void;
}

/** A request waits at most so long for the index to be loaded. */
const PATIENCE_MS = 1000;
const PATH = '/api/dashboard';
const common = { permission: 'user' } as const;

export function dashboardRoutes(parts: DashboardRouteParts): Route[] {
  return [...ofBuildKeeper([wholeRoute(parts), rowsRoute(parts)]), ...viewRoutes(parts)];
}

function wholeRoute({ index, views, access, config }: DashboardRouteParts): Route {
  return {
    ...common,
    method: 'GET',
    path: PATH,
    version: 4,
    description: { chapter: DASHBOARD_CHAPTER, ...SHOW },
    handle: async (request) => {
      // Other query parameters are ignored, as in GoCD: its own pages send `allowEmpty`.
      if (!(await index.loadedWithin(PATIENCE_MS))) return jsonAnswer({ message: BEING_PROCESSED }, { status: 202 });
      await index.current();
      const { identity } = request;
      const own = await views.of(keyOf(identity.loginName));
      const view = viewNamed(own, request.query.get('viewName'));
      const caller = callerOf(access, identity, index.hasApprovers);
      const personalization = viewsEtag(own);
      // Roles grant the right to administer environments.
      const shown = [config.of('pipelineGroups').generation, config.of('roles').generation, config.of('systemAdmins').generation];
      const state = [index.epoch, index.version, caller.key, identity.loginName, view, personalization, shown];
      return unlessKnown(request, sha256(JSON.stringify(state)), () =>
        referenceText({ index, access, config }, { identity, caller, view, personalization }),
      );
    },
  };
}

function rowsRoute({ index, access }: DashboardRouteParts): Route {
  const answers = new CompactAnswers(index);
  return {
    ...common,
    method: 'GET',
    path: `${PATH}/rows`,
    version: 1,
    description: { chapter: DASHBOARD_CHAPTER, ...SHOW_ROWS },
    handle: async (request) => {
      mustBeKnown(request.query, SHOW_ROWS);
      await index.current();
      const caller = callerOf(access, request.identity, index.hasApprovers);
      const since = request.query.get('since');
      // The changes since a token are another text than all rows.
      const etag = since === null ? answers.tokenFor(caller) : sha256(`${answers.tokenFor(caller)} since ${since}`);
      if (isKnown(request, etag)) return { status: 200, text: '', bytes: 0, etag };
      const { text, bytes } = await (since === null ? answers.full(caller) : answers.since(since, caller));
      return { status: 200, text, bytes, etag };
    },
  };
}

function viewRoutes({ views, revalidate }: DashboardRouteParts): Route[] {
  const shown = (filters: readonly DashboardView[]) => jsonAnswer({ filters }, { etag: viewsEtag(filters) });
  const route = { ...common, path: `${PATH}/views`, version: 1 } as const;
  return [
    {
      ...route,
      method: 'GET',
      description: { chapter: DASHBOARD_CHAPTER, ...SHOW_VIEWS },
      handle: async ({ identity }) => shown(await views.of(keyOf(identity.loginName))),
    },
    {
      ...route,
      method: 'PUT',
      description: { chapter: DASHBOARD_CHAPTER, ...REPLACE_VIEWS },
      handle: async (request) => {
        mustSendIfMatch(request);
        const wanted = readViews(request.body);
        const decide = (known: readonly DashboardView[]) => {
          revalidate(request.identity);
          checkIfMatchEtag(request, viewsEtag(known));
          return wanted;
        };
        return shown(await views.replace(keyOf(request.identity.loginName), decide, { dryRun: request.isDryRun }));
      },
    },
  ];
}

/** Makes the text only if the client does not have it. */
async function unlessKnown(request: ApiRequest, etag: string, make: () => Promise<string>): Promise<Answer> {
  const text = isKnown(request, etag) ? '' : await make();
  return { status: 200, text, bytes: Buffer.byteLength(text), etag };
}

/** The answer is 304 then, without a body. */
function isKnown(request: ApiRequest, etag: string): boolean {
  const known = request.header('if-none-match');
  return known !== undefined && namesEtag(known, etag);
}
