// Whether a config repo has to be worked on: pure, and the same after a restart as before.
import type { RepoState } from '../../store/config-repos/states.ts';
import type { RepoConfig } from './repo-config.ts';
import type { Scope } from './state.ts';

export interface Facts extends Pick<RepoConfig, 'settings' | 'rulesDigest'> {
  /** The newest revision that is known; undefined: none, so there is nothing to work with. */
  readonly revision: string | undefined;
  /** Whether anything of it is part of the configuration. */
  readonly isInForce: boolean;
  /** Whether the last poll of its repository succeeded, and no requested poll is pending. */
  readonly isPollCurrent: boolean;
}

/** `rules`: only whether they still allow the definitions in force. */
export type NeededWork = 'all' | 'rules';

export function neededWork(known: RepoState | undefined, now: Facts, scope: Scope): NeededWork | undefined {
  const hasOtherRules = known !== undefined && known.rules !== now.rulesDigest;
  // Definitions in force stay until the next poll, instead of reading an old revision with new settings: they may be made for a new one.
  const isTooEarly = known?.settings !== now.settings && now.isInForce && !now.isPollCurrent;
  if (now.revision === undefined || isTooEarly) return now.isInForce && hasOtherRules ? 'rules' : undefined;
  return isNeeded(known, now, hasOtherRules, scope) ? 'all' : undefined;
}

function isNeeded(known: RepoState | undefined, now: Facts, hasOtherRules: boolean, scope: Scope): boolean {
  if (!known || known.settings !== now.settings || known.revision !== now.revision || hasOtherRules) return true;
  switch (known.outcome) {
    case 'published':
      // Definitions that were withdrawn along with another repo come back, or their errors are reported.
      return !now.isInForce;
    case 'refused':
      return scope !== 'changes';
    case 'unparsed':
      return scope === 'everything';
    case 'unread':
      return true;
  }
}
