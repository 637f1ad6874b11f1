// The update cycle of one config repo, as a state machine. Pure: actions outside are returned as effects.

/** The step of the work on its files. */
export type CycleStep = 'none' | 'waiting' | 'reading' | 'parsing' | 'publishing';

/**
 * The scope of a run. `changes`: a new revision, or other settings. `refusals`: also definitions that the rest of the configuration
 * did not allow. `everything`: also every other failure is tried again.
 */
export type Scope = 'changes' | 'refusals' | 'everything';

export interface CycleState {
  /** A poll of the repository that has not ended; `repeat`: another one has to follow, for this one may have begun too early. */
  readonly poll: 'none' | 'requested' | 'repeat';
  readonly step: CycleStep;
  /** The scope of the run that waits or is under way. */
  readonly scope: Scope;
  /** The scope of the run that has to follow the one under way; undefined: none has to. */
  readonly next: Scope | undefined;
  readonly isGone: boolean;
}

export type CycleEvent =
  /** An update was requested. */
  | { readonly type: 'requested' }
  /** The config repo was added or its settings were changed; `isNew`: nothing of it is in force that its rules would have to allow. */
  | { readonly type: 'saved'; readonly isNew: boolean }
  /** The server has started, and no poll of the repository has ever succeeded. */
  | { readonly type: 'resumed' }
  /** A dependency has changed: the settings of its plugin, or the rest of the configuration. */
  | { readonly type: 'changed'; readonly scope: Scope }
  /** Another poll of the repository is under way already, since an unknown time. */
  | { readonly type: 'overlapped' }
  /** A poll of the repository has ended, requested by this cycle or not. */
  | { readonly type: 'pollEnded'; readonly hasChanges: boolean }
  | { readonly type: 'begun' }
  | { readonly type: 'read' }
  | { readonly type: 'parsed' }
  | { readonly type: 'ended' }
  | { readonly type: 'removed' };

/** `requestPoll`: of the repository. `enqueue`: begin a run when it is its turn. `abort`: stop the run under way. */
export type Effect = 'requestPoll' | 'enqueue' | 'abort';

export interface Transition {
  readonly state: CycleState;
  readonly effects: readonly Effect[];
}

export const IDLE: CycleState = { poll: 'none', step: 'none', scope: 'changes', next: undefined, isGone: false };

const SCOPES: readonly Scope[] = ['changes', 'refusals', 'everything'];

export function isBusy({ poll, step, isGone }: CycleState): boolean {
  return !isGone && (poll !== 'none' || step !== 'none');
}

export function isRunning({ step }: CycleState): boolean {
  return step !== 'none' && step !== 'waiting';
}

export function next(state: CycleState, event: CycleEvent): Transition {
  if (event.type === 'ended') return ended(state);
  if (state.isGone) return { state, effects: [] };
  switch (event.type) {
    case 'requested':
      return { state: { ...state, poll: 'requested' }, effects: ['requestPoll'] };
    case 'saved':
      return saved(state, event.isNew);
    case 'resumed':
      return saved(state, true);
    case 'changed':
      return enqueued(state, event.scope);
    case 'overlapped':
      return { state: state.poll === 'none' ? state : { ...state, poll: 'repeat' }, effects: [] };
    case 'pollEnded':
      return pollEnded(state, event.hasChanges);
    case 'begun':
      return moved(state, 'waiting', 'reading');
    case 'read':
      return moved(state, 'reading', 'parsing');
    case 'parsed':
      return moved(state, 'parsing', 'publishing');
    case 'removed':
      return { state: { ...IDLE, step: state.step, isGone: true }, effects: isRunning(state) ? ['abort'] : [] };
  }
}

function saved(state: CycleState, isNew: boolean): Transition {
  const polling: CycleState = { ...state, poll: 'requested' };
  if (isRunning(state)) return { state: { ...polling, next: 'everything' }, effects: ['abort', 'requestPoll'] };
  const { state: after, effects } = isNew ? { state: polling, effects: [] } : enqueued(polling, 'everything');
  return { state: after, effects: [...effects, 'requestPoll'] };
}

function pollEnded(state: CycleState, hasChanges: boolean): Transition {
  if (state.poll === 'repeat') return { state: { ...state, poll: 'requested' }, effects: ['requestPoll'] };
  if (state.poll === 'requested') return enqueued({ ...state, poll: 'none' }, 'everything');
  return hasChanges ? enqueued(state, 'changes') : { state, effects: [] };
}

function enqueued(state: CycleState, scope: Scope): Transition {
  if (state.step === 'none') return { state: { ...state, step: 'waiting', scope }, effects: ['enqueue'] };
  if (state.step === 'waiting') return { state: { ...state, scope: wider(state.scope, scope) }, effects: [] };
  return { state: { ...state, next: state.next ? wider(state.next, scope) : scope }, effects: [] };
}

/** Events of a run that is over already change nothing. */
function moved(state: CycleState, from: CycleStep, to: CycleStep): Transition {
  return { state: state.step === from ? { ...state, step: to } : state, effects: [] };
}

function ended(state: CycleState): Transition {
  const idle: CycleState = { ...state, step: 'none', scope: 'changes', next: undefined };
  return state.next && !state.isGone ? enqueued(idle, state.next) : { state: idle, effects: [] };
}

function wider(one: Scope, other: Scope): Scope {
  return SCOPES[Math.max(SCOPES.indexOf(one), SCOPES.indexOf(other))]!;
}
