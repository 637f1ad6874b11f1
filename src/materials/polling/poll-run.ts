// A poll of a watched material: its result is noted and reported, whichever way it ends.
import { Preempted } from '../../kit/concurrency/periodic/job.ts';
import { KeeperRoleLost } from '../../kit/concurrency/periodic/keeper.ts';
import { nextSlice } from '../../kit/concurrency/time-slices.ts';
import { annotate } from '../../kit/telemetry/scope.ts';
import type { PollNote, StoredMaterial } from '../../store/materials/materials.ts';
import type { Material } from '../catalogue/material.ts';
import { longDescription } from '../catalogue/messages.ts';
import type { MaterialDirectories } from './directories.ts';
import type { MaterialRemovals } from './material-removals.ts';
import type { PollHealth } from './poll-health.ts';
import { pollMaterial, storedMaterial } from './poll-material.ts';
import type { PollSchedule } from './poll-schedule.ts';
import type { PolledMaterials } from './polled-materials.ts';
import type { PollerParts } from './poller-parts.ts';

export interface PollEnd {
  /** In words without secrets; undefined: it went well, or was stopped. */
  readonly failure: string | undefined;
  /** Whether anything new was found. */
  readonly isChanged: boolean;
}

export interface PollRunParts {
  readonly poller: PollerParts;
  readonly watched: PolledMaterials;
  readonly removals: MaterialRemovals;
  readonly directories: MaterialDirectories;
  readonly health: PollHealth;
  now(): number;
  isConfigured(fingerprint: string): boolean;
  onEnded(ended: FinishedPoll): void;
}

/** A poll of a material has ended. */
export interface FinishedPoll extends PollEnd {
  readonly material: Material;
  /** Whether the poll was requested, not just due. */
  readonly wasRequested: boolean;
  /** It was stopped before its end. */
  readonly wasStopped: boolean;
  readonly seconds: number;
}

export async function runPoll(schedule: PollSchedule, signal: AbortSignal, parts: PollRunParts): Promise<void> {
  const { material } = schedule;
  let ended: PollEnd = { failure: undefined, isChanged: false };
  const startedAt = performance.now();
  schedule.begin();
  try {
    ended = await poll(schedule, material, signal, parts);
  } catch (fault) {
    parts.poller.onFailure(fault, `a poll of the material ${longDescription(material)} could not be noted`);
  } finally {
    parts.health.clearHung(material);
    const isPostponed = signal.reason instanceof Preempted || signal.reason instanceof KeeperRoleLost;
    if (isPostponed) schedule.postpone();
    else end(schedule, { ...ended, wasStopped: signal.aborted, seconds: (performance.now() - startedAt) / 1000 }, parts);
  }
}

function end(schedule: PollSchedule, ended: Omit<FinishedPoll, 'material' | 'wasRequested'>, { watched, onEnded }: PollRunParts): void {
  const wasRequested = schedule.end();
  if (!ended.wasStopped && !schedule.isDue) watched.clearRequest(schedule);
  const { type, fingerprint } = schedule.material;
  const result = ended.wasStopped ? 'stopped' : ended.failure === undefined ? 'ok' : 'failed';
  annotate(
    { 'slipway.material.type': type, 'slipway.material.fingerprint': fingerprint, 'slipway.poll.result': result },
    result === 'failed' ? 'poll' : undefined,
  );
  onEnded({ ...ended, material: schedule.material, wasRequested });
}

async function poll(schedule: PollSchedule, material: Material, signal: AbortSignal, parts: PollRunParts): Promise<PollEnd> {
  const { poller, watched, removals, directories, health } = parts;
  const { fingerprint } = material;
  await removals.whenRemoved(fingerprint);
  const stored = await storedMaterial(material, poller, schedule.takeStored());
  // Externals of externals are not followed.
  const asksExternals = (count: number) =>
    parts.isConfigured(fingerprint) && (count > 0 || !watched.externals.isKnown(fingerprint)) && !schedule.gone.aborted;
  // A pause: requests would wait for the end of the poll before and the beginning of this one together.
  await nextSlice();
  const watching = { signal, onActivity: () => schedule.noteActivity(), asksExternals };
  try {
    const { externals, isChanged } = await directories.take(
      stored.directory,
      () => pollMaterial(material, stored, watching, poller),
      signal,
    );
    if (!isChanged) schedule.keepStored(stored);
    if (externals && !schedule.gone.aborted) watched.reconcileExternals(material, externals);
    watched.requestExternalPolls(fingerprint);
    const hasRecovered = schedule.hasFailed;
    if (hasRecovered) poller.onRecovered?.(material);
    schedule.noteSuccess();
    noteEnd(stored, { at: new Date(parts.now()) }, hasRecovered, poller);
    health.clearFailure(material);
    return { failure: undefined, isChanged };
  } catch (failure) {
    if (signal.aborted) return { failure: undefined, isChanged: false };
    const text = (failure instanceof Error && failure.message) || 'Unknown error';
    watched.externals.invalidate(fingerprint);
    const isNew = schedule.failure !== text;
    if (!schedule.hasFailed) poller.onFailed?.(material, text);
    schedule.noteFailure(text);
    noteEnd(stored, { at: new Date(parts.now()), failure: text }, isNew, poller);
    if (watched.find(fingerprint) === schedule) health.reportFailure(schedule);
    // Modifications that were found before the failure are kept.
    return { failure: text, isChanged: true };
  }
}

/** A changed outcome must be known after a restart, however sudden; the rest is written now and then. */
function noteEnd({ id }: StoredMaterial, note: PollNote, isNewOutcome: boolean, { materials, onFailure }: PollerParts): void {
  materials.polled(id, note);
  if (isNewOutcome) materials.writePolls().catch((failure: unknown) => onFailure(failure, 'how a poll ended could not be noted'));
}
