// Brings a config repo up to date on demand, and says whether that is under way.
import type { Config } from '../../../config/current.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { PollRequestResult } from '../../../materials/polling/poll-schedule.ts';
import { described, FLAG, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { configRepoRoute } from './config-repo-route.ts';

export interface ConfigRepoUpdates {
  update(id: string): Promise<PollRequestResult>;
  isUpdating(id: string): Promise<boolean>;
}

const BUSY = 'Update already in progress.';

export function configRepoUpdateRoutes(config: Config, { update, isUpdating }: ConfigRepoUpdates): Route[] {
  return [
    configRepoRoute(
      {
        method: 'POST',
        path: 'trigger_update',
        description: {
          summary: 'Bring a config repo up to date',
          details:
            'Fetches the repository, reads what has changed and brings it into force, or keeps what is in force and says what is wrong. ' +
            'Returns at once; the result is there when the status says that nothing is in progress.',
          headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Needed because there is no body; `true`.' } },
          response: MESSAGE,
          example: { message: 'OK' },
          status: 201,
          failures: {
            409: { when: 'It is being brought up to date, or waits for its turn: `status` says so, too.', example: { message: BUSY } },
          },
        },
        handle: async (id, { isDryRun }) => {
          const answer = isDryRun ? await tried(id) : await update(id);
          if (answer === 'busy') throw new Refusal('conflict', BUSY);
          return jsonAnswer({ message: 'OK' }, { status: 201 });
        },
      },
      config,
    ),
    configRepoRoute(
      {
        method: 'GET',
        path: 'status',
        description: {
          summary: 'Whether a config repo is being brought up to date',
          details: 'True also while its repository is polled for a pipeline.',
          response: objectSchema({ in_progress: described(FLAG, 'Whether it is under way, or waits for its turn.') }),
          example: { in_progress: false },
        },
        handle: async (id) => jsonAnswer({ in_progress: await isUpdating(id) }),
      },
      config,
    ),
  ];

  async function tried(id: string): Promise<PollRequestResult> {
    return (await isUpdating(id)) ? 'busy' : 'scheduled';
  }
}
