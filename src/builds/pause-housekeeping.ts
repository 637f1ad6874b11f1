// Pauses come and go with their pipelines.
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import type { Pause, Pauses } from './pauses.ts';

const PIPELINES = 'pipelines';

/** When it returns, pauses of pipelines that were deleted before it began to listen are forgotten, too. */
export async function forgetPausesOfDeleted(
  pauses: Pauses,
  config: Config,
  changes: Pick<Changes, 'listen'>,
  onFailure: (failure: unknown) => void,
): Promise<void> {
  changes.listen(({ edits }) => {
    for (const { kind, key, after } of edits) if (kind.name === PIPELINES && !after) pauses.forget(key).catch(onFailure);
  });
  const pipelines = config.of(PIPELINES);
  for (const { key } of pauses.all()) if (!pipelines.find(key)) await pauses.forget(key);
}

/**
 * For a pipeline that was made paused. Changes that share a commit are seen together: it may be gone by now, and when that was published
 * there was no pause to forget.
 */
export async function rememberPause(pauses: Pauses, config: Config, pause: Pause): Promise<void> {
  pauses.remember(pause);
  if (!config.of(PIPELINES).find(pause.key)) await pauses.forget(pause.key);
}
