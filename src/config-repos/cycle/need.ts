// Whether a config repo has to be worked on: pure, and the same after a restart as before.
import type { RepoState } from '../../store/config-repo-states.ts';
import type { RepoNow } from './repo-now.ts';
import type { Scope } from './state.ts';

export interface Facts extends Pick<RepoNow, 'settings' | 'rulesDigest'> {
  /** The newest revision that is known; undefined: none, so there is nothing to work with. */
  readonly revision: string | undefined;
  /** Whether anything of it is part of the configuration. */
  readonly isInForce: boolean;
}

export function isNeeded(known: RepoState | undefined, now: Facts, scope: Scope): boolean {
  if (now.revision === undefined) return false;
  if (!known || known.settings !== now.settings || known.revision !== now.revision || known.rules !== now.rulesDigest) return true;
  switch (known.outcome) {
    case 'published':
      // What others took away with them comes back, or its errors are told.
      return !now.isInForce;
    case 'refused':
      return scope !== 'news';
    case 'unparsed':
      return scope === 'everything';
    case 'unread':
      return true;
  }
}
