// Ends browser sessions that nobody can use any more.
import type { Changes } from '../../config/change.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic.ts';
import type { Sessions } from './sessions.ts';

const USES_PERIOD_MS = 60_000;
const EXPIRED_PERIOD_MS = 60 * 60_000;

export function keepSessions(sessions: Sessions, changes: Changes, runner: PeriodicRunner, onFailure: (failure: unknown) => void): void {
  runner.add({
    name: 'last uses of sessions',
    when: { every: USES_PERIOD_MS },
    where: 'everywhere', // each server knows what was used with it
    runsWhilePaused: true,
    run: () => sessions.writeUses(),
  });
  runner.add({
    name: 'expired sessions',
    when: { every: EXPIRED_PERIOD_MS },
    runsWhilePaused: true,
    run: () => sessions.removeExpired(),
  });
  changes.listen(({ edits }) => {
    for (const { kind, before, after } of edits) {
      if (kind.name !== 'authConfigs' || after || !before) continue;
      sessions.endOfSource(String(before.value.id)).catch(onFailure);
    }
  });
}
