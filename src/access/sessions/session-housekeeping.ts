// Ends browser sessions that have expired or whose source of users is gone, and stores when sessions were last used.
import type { Changes } from '../../config/change.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { LoginSourceParts } from '../login/login-sources.ts';
import { replacedSources } from '../login/replaced-sources.ts';
import type { Sessions } from './sessions.ts';

const USES_PERIOD_MS = 60_000;
const EXPIRED_PERIOD_MS = 60 * 60_000;

interface Parts {
  readonly changes: Changes;
  readonly runner: PeriodicRunner;
  readonly sources: Pick<LoginSourceParts, 'findPlugin' | 'clearValues'>;
  onFailure(failure: unknown): void;
}

export function addSessionHousekeeping(sessions: Sessions, { changes, runner, sources, onFailure }: Parts): void {
  runner.add({
    name: 'last uses of sessions',
    when: { every: USES_PERIOD_MS },
    where: 'everywhere', // each server knows only the uses it has served
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
    for (const id of replacedSources(edits, sources)) sessions.endOfSource(id).catch(onFailure);
  });
}
