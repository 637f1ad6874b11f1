// Routes that only the server that runs builds can answer.
import { NotKeeper } from '../../../kit/concurrency/periodic/keeper.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import type { Answer, Route } from '../../engine/route.ts';

const NOT_YET = 'This server does not run builds at present. Try again in a moment.';

/** Between two servers, or while one starts, there is a moment in which none does. */
export function ofBuildKeeper(routes: readonly Route[]): Route[] {
  return ofKeeper(routes.map((route) => ({ ...route, handle: async (request) => answered(() => route.handle(request)) })));
}

async function answered(handle: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await handle();
  } catch (failure) {
    if (failure instanceof NotKeeper) throw new Refusal('unavailable', NOT_YET, { retryAfter: 1 });
    throw failure;
  }
}
