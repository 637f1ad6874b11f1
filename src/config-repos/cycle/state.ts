// The update cycle of one config repo, as a state machine. Pure: actions outside are returned as effects.

/** The step of the work on its files. */
export type Work = 'none' | 'waiting' | 'reading' | 'parsing' | 'publishing';

/**
 * The scope of a run. `news`: a new revision, other settings. `refusals`: also definitions that the rest of the configuration
 * did not allow. `everything`: every failure is tried again.
 */
export type Scope = 'news' | 'refusals' | 'everything';

export interface CycleState {
  /** A poll of the repository was asked for and has not ended; `again`: another one has to follow, for this one may have begun too early. */
  readonly look: 'none' | 'asked' | 'again';
  readonly work: Work;
  /** Of the run that waits or is under way. */
  readonly scope: Scope;
  /** Of the run that has to follow the one under way. */
  readonly next: Scope | undefined;
  readonly isGone: boolean;
}

export type CycleEvent =
  /** An update was requested. */
  | { readonly type: 'asked' }
  /** It was added, or is configured in another way now; `isNew`: nothing of it can be in force that its rules would have to allow. */
  | { readonly type: 'saved'; readonly isNew: boolean }
  /** The server has started, and no poll of the repository has ever succeeded. */
  | { readonly type: 'taken up' }
  /** A dependency has changed: the settings of its plugin, or the rest of the configuration. */
  | { readonly type: 'changed'; readonly scope: Scope }
  /** Another poll of the repository is under way already, since an unknown time. */
  | { readonly type: 'overlapped' }
  /** A poll of the repository has ended, requested by this cycle or not. */
  | { readonly type: 'looked'; readonly hasNews: boolean }
  | { readonly type: 'begun' }
  | { readonly type: 'read' }
  | { readonly type: 'parsed' }
  | { readonly type: 'ended' }
  | { readonly type: 'removed' };

/** `look`: ask for a poll of the repository. `line up`: begin a run when it is its turn. `cut`: stop the run under way. */
export type Effect = 'look' | 'line up' | 'cut';

export interface Step {
  readonly state: CycleState;
  readonly effects: readonly Effect[];
}

export const IDLE: CycleState = { look: 'none', work: 'none', scope: 'news', next: undefined, isGone: false };

const SCOPES: readonly Scope[] = ['news', 'refusals', 'everything'];

export function isBusy({ look, work, isGone }: CycleState): boolean {
  return !isGone && (look !== 'none' || work !== 'none');
}

export function isRunning({ work }: CycleState): boolean {
  return work !== 'none' && work !== 'waiting';
}

export function next(state: CycleState, event: CycleEvent): Step {
  if (event.type === 'ended') return ended(state);
  if (state.isGone) return { state, effects: [] };
  switch (event.type) {
    case 'asked':
      return { state: { ...state, look: 'asked' }, effects: ['look'] };
    case 'saved':
      return saved(state, event.isNew);
    case 'taken up':
      return saved(state, true);
    case 'changed':
      return linedUp(state, event.scope);
    case 'overlapped':
      return { state: state.look === 'none' ? state : { ...state, look: 'again' }, effects: [] };
    case 'looked':
      return looked(state, event.hasNews);
    case 'begun':
      return moved(state, 'waiting', 'reading');
    case 'read':
      return moved(state, 'reading', 'parsing');
    case 'parsed':
      return moved(state, 'parsing', 'publishing');
    case 'removed':
      return { state: { ...IDLE, work: state.work, isGone: true }, effects: isRunning(state) ? ['cut'] : [] };
  }
}

function saved(state: CycleState, isNew: boolean): Step {
  const looking: CycleState = { ...state, look: 'asked' };
  if (isRunning(state)) return { state: { ...looking, next: 'everything' }, effects: ['cut', 'look'] };
  const { state: after, effects } = isNew ? { state: looking, effects: [] } : linedUp(looking, 'everything');
  return { state: after, effects: [...effects, 'look'] };
}

function looked(state: CycleState, hasNews: boolean): Step {
  if (state.look === 'again') return { state: { ...state, look: 'asked' }, effects: ['look'] };
  if (state.look === 'asked') return linedUp({ ...state, look: 'none' }, 'everything');
  return hasNews ? linedUp(state, 'news') : { state, effects: [] };
}

function linedUp(state: CycleState, scope: Scope): Step {
  if (state.work === 'none') return { state: { ...state, work: 'waiting', scope }, effects: ['line up'] };
  if (state.work === 'waiting') return { state: { ...state, scope: wider(state.scope, scope) }, effects: [] };
  return { state: { ...state, next: state.next ? wider(state.next, scope) : scope }, effects: [] };
}

/** Events of a run that is over already change nothing. */
function moved(state: CycleState, from: Work, to: Work): Step {
  return { state: state.work === from ? { ...state, work: to } : state, effects: [] };
}

function ended(state: CycleState): Step {
  const resting: CycleState = { ...state, work: 'none', scope: 'news', next: undefined };
  return state.next && !state.isGone ? linedUp(resting, state.next) : { state: resting, effects: [] };
}

function wider(one: Scope, other: Scope): Scope {
  return SCOPES[Math.max(SCOPES.indexOf(one), SCOPES.indexOf(other))]!;
}
