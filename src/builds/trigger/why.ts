// Why a pipeline runs or does not: the decision, its revisions, the rules that stop it, and ways to make it run.
import { nextFiring } from '../../kit/cron/next.ts';
import { parseCron } from '../../kit/cron/parse.ts';
import type { Run, Runs } from '../../store/builds/runs.ts';
import type { Materials } from '../../store/materials/materials.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import type { ConfiguredMaterial, PipelineDefinition } from '../configured.ts';
import type { ActiveJob } from '../jobs/active-builds.ts';
import type { JobWhy } from '../jobs/why-job.ts';
import type { Pause } from '../pauses.ts';
import { changedFilesOf } from './changed-files.ts';
import type { FanInReason } from './fan-in.ts';
import type { Obstacle } from './obstacles.ts';
import type { PipelineFacts } from './revision-facts.ts';
import type { DecisionReason } from './trigger-decisions.ts';
import type { Explanation } from './triggers.ts';
import { materialDetail, noModifications, unknownInFanIn } from './unknown-materials.ts';
import { type UnfinishedStage, waitingJobReason } from './waiting-job.ts';
import type { Detail, WhyReason } from './why-reason.ts';

export interface WhyMaterial {
  readonly material: ConfiguredMaterial;
  /** The revision that the last run was made from, and the newest that is known. */
  readonly last: string | null;
  readonly latest: string | null;
}

export interface Why {
  readonly willRun: boolean;
  /** A user or a timer has asked for a run, and it is being scheduled. */
  readonly isRequested: boolean;
  readonly reasons: readonly WhyReason[];
  readonly lastRun: Run | undefined;
  readonly materials: readonly WhyMaterial[];
}

export interface WhyParts {
  explain(pipeline: PipelineDefinition): Promise<Explanation>;
  readonly runs: Pick<Runs, 'last' | 'byId' | 'revisionsOf'>;
  readonly materials: Pick<Materials, 'find'>;
  readonly modifications: Pick<Modifications, 'newest' | 'byIds' | 'after' | 'filesOf'>;
  pauseOf(pipeline: string): Pause | undefined;
  /** The run that holds the lock. */
  lockOf(pipelineKey: string): number | undefined;
  activeOf(pipelineKey: string): readonly UnfinishedStage[];
  whyJobWaits(job: ActiveJob): JobWhy;
  isRequested(pipeline: string): boolean;
  /** Why the last poll of a material failed. */
  pollFailureOf(fingerprint: string): string | undefined;
  timeZone(): string;
  now(): number;
}

/** Whether the caller may know of a material that the pipeline does not have itself. */
export type SeesMaterial = (fingerprint: string) => Promise<boolean>;

export async function whyOf(pipeline: PipelineDefinition, parts: WhyParts, seesMaterial: SeesMaterial): Promise<Why> {
  const { obstacles, decision, planProblem } = await parts.explain(pipeline);
  const facts = await factsOf(pipeline, parts);
  const isRequested = parts.isRequested(pipeline.name);
  const reasons: WhyReason[] = [];
  for (const obstacle of obstacles) {
    // A user has asked for it by hand.
    if (isRequested && obstacle.rule === 'manual_first_stage') continue;
    if (!reasons.some(({ rule }) => rule === 'job_waits')) reasons.push(...causeOf(obstacle, pipeline, parts));
    reasons.push(await obstacleReason(obstacle, pipeline, parts));
  }
  if (pipeline.stages.length === 0)
    reasons.push({ rule: 'no_stages', message: 'The pipeline has no stages. Give it some, or a template that exists.', details: {} });
  // A requested run starts whether or not anything has changed.
  if (!decision.isToRun && !isRequested) reasons.push(await decisionReason(decision.reason, pipeline, facts, parts, seesMaterial));
  if (planProblem !== undefined)
    reasons.push({ rule: 'no_agent', message: `${planProblem} It runs when there is an enabled agent that fits.`, details: {} });
  const willRun = reasons.length === 0;
  const timer = willRun ? undefined : timerReason(pipeline, parts);
  return { willRun, isRequested, reasons: [...reasons, ...(timer ? [timer] : [])], ...facts };
}

async function factsOf(
  { key, materials }: PipelineDefinition,
  { runs, modifications }: WhyParts,
): Promise<Pick<Why, 'lastRun' | 'materials'>> {
  const lastRun = await runs.last(key);
  const used = lastRun ? await runs.revisionsOf([lastRun.id]) : [];
  const lastOnes = new Map((await modifications.byIds(used.map(({ last }) => last))).map((one) => [one.id, one]));
  const newest = await modifications.newest(materials.map(({ fingerprint }) => fingerprint));
  return {
    lastRun,
    materials: materials.map((material) => {
      const last = used.find(({ fingerprint }) => fingerprint === material.fingerprint)?.last;
      return {
        material,
        last: (last !== undefined && lastOnes.get(last)?.revision) || null,
        latest: newest.get(material.fingerprint)?.revision ?? null,
      };
    }),
  };
}

/** What keeps the run that is in the way from ending, if that is known. */
function causeOf({ rule }: Obstacle, { key, stages: [first] }: PipelineDefinition, parts: WhyParts): WhyReason[] {
  if (rule !== 'stage_active' && rule !== 'locked') return [];
  const holder = rule === 'locked' ? parts.lockOf(key) : undefined;
  const inTheWay = parts
    .activeOf(key)
    .filter(({ row, run }) => (rule === 'locked' ? run.id === holder : row.stage_key === first?.name.toLowerCase()));
  const reason = waitingJobReason(inTheWay, parts.whyJobWaits);
  return reason ? [reason] : [];
}

async function obstacleReason({ rule, message }: Obstacle, pipeline: PipelineDefinition, parts: WhyParts): Promise<WhyReason> {
  const { name, key } = pipeline;
  if (rule === 'paused') {
    const pause = parts.pauseOf(name);
    return { rule, message, details: pause ? { paused_by: pause.by, paused_cause: pause.cause, paused_at: pause.at } : {} };
  }
  if (rule === 'locked') {
    const holder = await parts.runs.byId(parts.lockOf(key) ?? 0);
    const run = holder ? `The run ${name}/${holder.counter}` : 'Another run';
    const locked = `${run} holds the lock of the pipeline. It is released when that run has ended, or by hand.`;
    return { rule, message: locked, details: { run: holder?.counter ?? null } };
  }
  if (rule === 'stage_active') {
    const first = pipeline.stages[0]!.name;
    const active = parts.activeOf(key).filter(({ row }) => row.stage_key === first.toLowerCase());
    return { rule, message, details: { stage: first, runs: active.map(({ run }) => run.counter) } };
  }
  return { rule, message, details: rule === 'manual_first_stage' ? { stage: pipeline.stages[0]!.name } : {} };
}

async function decisionReason(
  reason: DecisionReason,
  pipeline: PipelineDefinition,
  facts: Pick<Why, 'lastRun' | 'materials'>,
  parts: WhyParts,
  seesMaterial: SeesMaterial,
): Promise<WhyReason> {
  switch (reason.rule) {
    case 'no_modifications':
      return { rule: 'no_modifications', ...noModifications(concerned(pipeline, reason.fingerprints), parts.pollFailureOf) };
    case 'already_run':
      return reason.disagreement
        ? fanInReason({ rule: 'disagreement', pipeline: pipeline.name, disagreement: reason.disagreement }, pipeline, parts, seesMaterial)
        : alreadyRun(pipeline, facts);
    case 'ignored':
      return ignored(concerned(pipeline, reason.fingerprints), reason.facts, parts);
    case 'fan_in':
      return fanInReason(reason.reason, pipeline, parts, seesMaterial);
    case 'config_repo':
      return {
        rule: 'config_repo',
        message: `The pipeline is defined by files of the repository it is built from. They were read at ${reason.read ?? 'no revision'}, but it would be built from ${reason.wanted}: it runs when they have been read there.`,
        details: { read_revision: reason.read, wanted_revision: reason.wanted },
      };
  }
}

function alreadyRun({ name }: PipelineDefinition, { lastRun, materials }: Pick<Why, 'lastRun' | 'materials'>): WhyReason {
  // The last run may have been made from older revisions on purpose, and one before it from the newest.
  const isOfNewest = materials.every(({ last, latest }) => last === latest);
  const cause = isOfNewest
    ? `Nothing has changed since the run ${name}/${lastRun?.counter}: it was made from the newest revisions of all materials.`
    : 'The newest revisions of all materials have been run already.';
  return {
    rule: 'already_run',
    message: `${cause} It runs when one of them changes, or when a user triggers it.`,
    details: { run: lastRun?.counter ?? null },
  };
}

function concerned({ materials }: PipelineDefinition, fingerprints: readonly string[]): ConfiguredMaterial[] {
  return materials.filter(({ fingerprint }) => fingerprints.includes(fingerprint));
}

async function ignored(materials: readonly ConfiguredMaterial[], facts: PipelineFacts, parts: WhyParts): Promise<WhyReason> {
  const found: Detail[] = [];
  for (const material of materials) {
    const { fingerprint, filter, isFilterInverted, isIgnoredForScheduling } = material;
    const known = facts.materials.find((one) => one.fingerprint === fingerprint);
    const since = known?.isIgnored ? known.previous : known?.newestEver;
    const files = isIgnoredForScheduling ? [] : await changedFilesOf(fingerprint, since, facts.latest.get(fingerprint), parts);
    found.push({
      ...materialDetail(material),
      patterns: filter,
      is_inverted: isFilterInverted,
      files,
      ignore_for_scheduling: isIgnoredForScheduling,
    });
  }
  const sentences = materials.map(({ isIgnoredForScheduling, isFilterInverted, filter, description, upstream }) => {
    if (isIgnoredForScheduling) return `Runs of '${upstream?.pipeline ?? description}' alone do not set the pipeline off.`;
    const patterns = filter.map((pattern) => `'${pattern}'`).join(', ');
    return isFilterInverted
      ? `No file that has changed in ${description} is one of ${patterns}, and only those count.`
      : `All files that have changed in ${description} are ignored by ${patterns}.`;
  });
  return {
    rule: 'ignored',
    message: `${sentences.join(' ')} It runs when something else changes, or when a user triggers it.`,
    details: { materials: found },
  };
}

/** Whoever may see a material may see why it cannot be polled. */
async function seenFailure(fingerprint: string, { materials }: PipelineDefinition, parts: WhyParts, seesMaterial: SeesMaterial) {
  const isSeen = materials.some((one) => one.fingerprint === fingerprint) || (await seesMaterial(fingerprint));
  return isSeen ? parts.pollFailureOf(fingerprint) : undefined;
}

async function fanInReason(
  reason: FanInReason,
  pipeline: PipelineDefinition,
  parts: WhyParts,
  seesMaterial: SeesMaterial,
): Promise<WhyReason> {
  const { modifications, materials } = parts;
  const whyReason = (message: string, details: WhyReason['details']): WhyReason => ({
    rule: 'fan_in',
    message,
    details: { cause: reason.rule, ...details },
  });
  switch (reason.rule) {
    case 'no_modifications':
      return whyReason(...unknownInFanIn(reason.fingerprint, await seenFailure(reason.fingerprint, pipeline, parts, seesMaterial)));
    case 'none_usable':
      return whyReason(`${UNUSABLE[reason.why](`'${reason.pipeline}'`, `'${reason.stage}'`)}`, {
        pipeline: reason.pipeline,
        stage: reason.stage,
        why: reason.why,
      });
    case 'limit':
      return whyReason(
        `None of the last ${reason.limit} runs of '${reason.pipeline}' fits those of the other upstream pipelines. It runs when upstream pipelines have run with the same revisions.`,
        { pipeline: reason.pipeline, limit: reason.limit },
      );
    case 'disagreement': {
      const { root, runs } = reason.disagreement;
      const own = pipeline.materials.find(({ fingerprint }) => fingerprint === root);
      if (!own && !(await seesMaterial(root))) return whyReason(`The upstream runs disagree on ${HIDDEN_MATERIAL} ${AGREED}`, {});
      const revisions = new Map((await modifications.byIds(runs.map(({ modification }) => modification))).map((one) => [one.id, one]));
      const description = own?.description ?? (await materials.find(root))?.description;
      const used = runs.map(({ pipeline: name, locator, modification }) => ({
        pipeline: name,
        locator,
        revision: revisionOf(revisions, modification),
      }));
      const listed = used.map(({ locator, revision }) => `${locator} was made from ${revision}`).join(', ');
      return whyReason(`The upstream runs disagree on ${description ?? root}: ${listed}. ${AGREED}`, {
        fingerprint: root,
        material: description ?? null,
        runs: used,
      });
    }
  }
}

const HIDDEN_MATERIAL = 'a material of pipelines that you may not see.';
const AGREED = 'It runs when all upstream pipelines have passed with the same revision.';
const UNUSABLE: Readonly<Record<Extract<FanInReason, { rule: 'none_usable' }>['why'], (pipeline: string, stage: string) => string>> = {
  no_runs: (pipeline, stage) => `The pipeline ${pipeline} has not run yet: it runs when its stage ${stage} has passed.`,
  not_passed: (pipeline, stage) => `The stage ${stage} of the pipeline ${pipeline} has not passed in any run: it runs when it does.`,
  other_materials: (pipeline, stage) =>
    `The last runs of ${pipeline} were made from other materials than it has now: it runs when ${pipeline} has passed ${stage} with those.`,
  inconsistent: (pipeline, stage) =>
    `Each run of ${pipeline} came from two revisions of one repository: it runs when ${stage} has passed in one that did not.`,
};

function revisionOf(modifications: ReadonlyMap<number, Modification>, id: number): string {
  return modifications.get(id)?.revision ?? String(id);
}

/** The next firing of a timer. */
function timerReason({ timer }: PipelineDefinition, { now, timeZone }: WhyParts): WhyReason | undefined {
  const cron = timer ? parseCron(timer.spec.trim()) : undefined;
  const next = cron?.ok ? nextFiring(cron.schedule, new Date(now()), timeZone()) : undefined;
  if (!timer || !next) return undefined;
  const at = next.toISOString().replace(/\.\d+/, '');
  const condition = timer.onlyOnChanges ? ', if something has changed by then' : '';
  return {
    rule: 'timer',
    message: `Its timer runs it next at ${at}${condition}.`,
    details: { spec: timer.spec, only_on_changes: timer.onlyOnChanges, next: at },
  };
}
