// Why a pipeline runs or does not, as the API reports it, in one short sentence.

export interface WhyReason {
  readonly rule: string;
  readonly message: string;
  readonly run?: number | null;
  readonly runs?: readonly unknown[];
  /** Of a job that waits: the rules by which agents do not take it. */
  readonly job_rules?: readonly string[];
  readonly stage?: string;
  /** Of a timer: when it runs the pipeline. */
  readonly next?: string;
  readonly materials?: readonly { readonly description: string; readonly files?: readonly string[]; readonly poll_error?: string }[];
  /** Why the last poll of an upstream material failed. */
  readonly poll_error?: string;
}

export interface WhyMaterial {
  readonly fingerprint: string;
  readonly type: string;
  readonly description: string;
  readonly last_run_revision: string | null;
  readonly latest_revision: string | null;
}

export interface Why {
  readonly will_run: boolean;
  readonly is_requested: boolean;
  readonly reasons: readonly WhyReason[];
  readonly last_run: { readonly counter: number; readonly label: string } | null;
  readonly materials: readonly WhyMaterial[];
}

/** `quiet`: all is as it should be. `warning`: a user may have to act. */
export type WhyTone = 'quiet' | 'building' | 'paused' | 'locked' | 'warning';

export interface WhyHeadline {
  readonly text: string;
  readonly tone: WhyTone;
  /** How many other reasons there are. */
  readonly others: number;
}

const JOB_WAITS = 'job_waits';

/** `label`: the label of the run that a reason is about. */
const SHORT: Readonly<Record<string, (reason: WhyReason, label: string) => string>> = {
  paused: () => 'Paused: nothing starts until it is unpaused.',
  locked: ({ run }, label) => (run ? `Locked: run ${label} holds the lock.` : 'Locked by another run.'),
  stage_active: ({ stage, runs = [] }) => `Waits until the stage ${stage} has ended${runs.length > 0 ? ` in run ${runs.join(', ')}` : ''}.`,
  manual_first_stage: () => 'Runs only when a user or a timer triggers it.',
  no_modifications: (reason) =>
    hasPollError(reason) ? 'A material cannot be polled: its last poll failed.' : 'Waits for the first revision of a material.',
  already_run: (_, label) => `Up to date: nothing has changed since run ${label}.`,
  ignored: () => 'What has changed does not count: it is ignored.',
  fan_in: () => 'Waits until the pipelines above have passed with the same revisions.',
  config_repo: () => 'Waits until its definition has been read at the newest revision.',
  maintenance: () => 'The server is in maintenance mode: nothing new starts.',
  disk_full: () => 'The disk of the server is full: nothing new starts.',
  no_stages: () => 'It has no stages.',
  timer: () => 'Runs by its timer.',
};

const TONES: Readonly<Record<string, WhyTone>> = {
  already_run: 'quiet',
  manual_first_stage: 'quiet',
  timer: 'quiet',
  stage_active: 'building',
  paused: 'paused',
  locked: 'locked',
};

export function headlineOf({ will_run, is_requested, reasons, last_run: last }: Why): WhyHeadline {
  // A timer stops nothing: it only says when.
  const stopping = reasons.filter(({ rule }) => rule !== 'timer');
  const first = stopping[0] ?? reasons[0];
  if (will_run || first === undefined) {
    const text = is_requested ? 'A run was asked for, and is being scheduled.' : 'Something has changed: a run is being scheduled.';
    return { text, tone: 'building', others: 0 };
  }
  const label = first.run === last?.counter ? last?.label : first.run;
  return {
    text: SHORT[first.rule]?.(first, String(label)) ?? first.message,
    tone: isTemporary(first) ? 'building' : (TONES[first.rule] ?? 'warning'),
    others: stopping.filter((reason) => reason !== first && !isConsequence(reason, first)).length,
  };
}

/** Whether a poll of a material has failed. */
export function hasPollError({ poll_error: error, materials = [] }: WhyReason): boolean {
  return error !== undefined || materials.some((one) => one.poll_error !== undefined);
}

/** All agents are at work: the job is taken when one is done. */
function isTemporary({ rule, job_rules: rules = [] }: WhyReason): boolean {
  return rule === JOB_WAITS && rules.includes('busy');
}

/** The stage is in progress, and the lock is held, because the job waits. */
function isConsequence({ rule }: WhyReason, first: WhyReason): boolean {
  return first.rule === JOB_WAITS && (rule === 'stage_active' || rule === 'locked');
}

/** Whether agents decide: then it is another reason when one of them changes. */
export function dependsOnAgents({ reasons }: Why): boolean {
  return reasons.some(({ rule }) => rule === JOB_WAITS);
}

/** When the timer runs the pipeline next, if it has a timer. */
export function nextByTimer({ reasons }: Why): string | undefined {
  return reasons.find(({ rule }) => rule === 'timer')?.next;
}
