// Maintenance mode: switch it on and off, see what still runs, wait until nothing does.

import type { PeriodicRunner } from '../../../kit/concurrency/periodic/periodic.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { pluralize } from '../../../kit/text/pluralize.ts';
import type { MaintenanceMode } from '../../../maintenance/mode.ts';
import { type BuildJobs, isDrained, type RunningSystems, runningSystems } from '../../../maintenance/running-systems.ts';
import { waitFor } from '../../../maintenance/wait.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import { type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { DEFAULT_WAIT_SECONDS, DISABLE, ENABLE, INFO_OF, MAX_WAIT_SECONDS, NOT_IN_MAINTENANCE, WAIT } from './docs.ts';
import { drainedJson, INFO_PATH, infoJson, MAINTENANCE_PATH, runningJson, WAIT_PATH } from './json.ts';
import { readOrder } from './order.ts';

export interface MaintenanceRouteParts {
  readonly mode: MaintenanceMode;
  readonly runner: PeriodicRunner;
  readonly builds: BuildJobs;
  /** Ends waiting requests when the server stops. */
  readonly stopping: AbortSignal;
}

const RETRY_SECONDS = 5;

export function maintenanceRoutes({ mode, runner, builds, stopping }: MaintenanceRouteParts): Route[] {
  const running = () => runningSystems(runner, builds);
  return [
    route('POST', `${MAINTENANCE_PATH}/enable`, ENABLE, async ({ body, identity, author, isDryRun }) => {
      await mode.enable(readOrder(body, identity.loginName, author.reason, Date.now()), { isDryRun });
      return { status: 204 };
    }),
    route('POST', `${MAINTENANCE_PATH}/disable`, DISABLE, async ({ identity, isDryRun }) => {
      await mode.disable(identity.loginName, { isDryRun });
      return { status: 204 };
    }),
    // The server that does the background work knows which of it still runs.
    ...ofKeeper([
      route('GET', INFO_PATH, INFO_OF, ({ base }) => {
        const { period, lastChange } = mode;
        return jsonAnswer(infoJson({ period, lastChange, running: running() }, base));
      }),
      {
        ...route('GET', WAIT_PATH, WAIT, async (request) => {
          const seconds = timeoutOf(request);
          if (!(await hasDrained(request, seconds))) throw stillRunning(running(), seconds);
          return jsonAnswer(drainedJson(running(), request.base));
        }),
        isHeld: true,
      },
    ]),
  ];

  async function hasDrained(request: ApiRequest, seconds: number): Promise<boolean> {
    const gone = new AbortController();
    const stopWatching = request.onGone(() => gone.abort());
    const look = () => {
      if (!mode.isOn) throw new Refusal('conflict', NOT_IN_MAINTENANCE);
      return isDrained(running()) || undefined;
    };
    const drained = await waitFor(look, seconds * 1000, AbortSignal.any([gone.signal, stopping])).finally(stopWatching);
    return drained === true;
  }
}

function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path,
    version: 1,
    permission: 'admin',
    worksInMaintenance: true,
    description: { chapter: 'maintenance-mode', ...description },
    handle,
  };
}

function timeoutOf({ query }: ApiRequest): number {
  const given = query.get('timeout') ?? String(DEFAULT_WAIT_SECONDS);
  if (/^\d{1,4}$/.test(given) && Number(given) <= MAX_WAIT_SECONDS) return Number(given);
  throw new Refusal(
    'malformed',
    `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`timeout\`. Valid values are whole seconds from 0 to ${MAX_WAIT_SECONDS}.`,
  );
}

function stillRunning(running: RunningSystems, seconds: number): Refusal {
  const more = { drained: false, running_systems: runningJson(running) };
  return new Refusal('unavailable', `Something is still running after ${pluralize(seconds, 'second')}.`, {
    more,
    retryAfter: RETRY_SECONDS,
  });
}
