// Runs one task of a job to its end, or to that of the job.
import type { CancelTask, WorkTask } from '../../contracts/agent-protocol/work.ts';
import { pluralize } from '../../kit/text/pluralize.ts';
import type { ArtifactContext } from '../artifacts/context.ts';
import { type ExternalJobContext, fetchExternalArtifact } from '../artifacts/external/job-artifacts.ts';
import { fetchArtifact } from '../artifacts/fetch/fetch.ts';
import type { JobConsole } from '../console/job-console.ts';
import { TAGS } from '../console/tags.ts';
import { commandOf, describeTask, UnknownTask } from '../task/command-of.ts';
import { BadFolder, workingDirectoryIn } from '../task/contained-paths.ts';
import { codeOfSignal, describeStartFailure } from '../task/describe-failure.ts';
import { type ProcessExit, RunningCommand } from '../task/run-command.ts';
import { UnclosedQuote } from '../task/split-arguments.ts';
import type { Interruption } from './interruption.ts';

/** Time limit for a program to end after it was asked to. */
const GRACE_MS = 10_000;
/** The longest timeout of a timer: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface TaskContext {
  readonly pipelineFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: string;
  /** The folder of the pipeline, where only tasks of this agent start processes in it. */
  readonly ownFolder?: string;
  readonly console: JobConsole;
  readonly interruption: Interruption;
  /** For tasks that fetch some; without it none can. */
  readonly artifacts?: Omit<ArtifactContext, 'pipelineFolder' | 'console' | 'signal'>;
  readonly external?: ExternalJobContext;
  /** How long a program has to end after TERM; a test need not wait. */
  readonly graceMs?: number;
}

interface Outcome {
  readonly isPassed: boolean;
  readonly code?: number;
}

const FAILED: Outcome = { isPassed: false };

/** Whether it passed. */
export async function runTask(task: WorkTask, context: TaskContext): Promise<boolean> {
  const { console, interruption } = context;
  console.notice(TAGS.taskStart, `Task: ${describeTask(task)}`);
  const began = performance.now();
  const outcome = await executed(task, context, (running) => endEarly(running, task, context));
  const status = interruption.reason === 'cancel' ? 'cancelled' : outcome.isPassed ? 'passed' : 'failed';
  const tag = { cancelled: TAGS.taskCancelled, passed: TAGS.taskPassed, failed: TAGS.taskFailed }[status];
  console.notice(tag, `Task status: ${status}${durationAndCode(began, outcome)}`);
  return outcome.isPassed;
}

function durationAndCode(began: number, { isPassed, code }: Outcome): string {
  const took = ` (${Math.round(performance.now() - began)} ms)`;
  return isPassed || code === undefined ? took : `${took} (exit code: ${code})`;
}

/** `onInterrupted` ends the program when the job is interrupted meanwhile. */
async function executed(
  task: CancelTask,
  context: TaskContext,
  onInterrupted: (running: RunningCommand) => Promise<void>,
): Promise<Outcome> {
  const { console, interruption, pipelineFolder, artifacts, external } = context;
  try {
    if (task.type === 'unsupported') throw new BadTask(task.reason);
    if (task.type === 'fetch' || task.type === 'fetch_external') {
      if (!artifacts || !external) throw new BadTask('No artifacts can be fetched here.');
      // A task of a cancel begins when the job is interrupted already.
      const signal = interruption.signal.aborted ? interruption.killSignal : interruption.signal;
      const fetchContext = { ...artifacts, pipelineFolder, console, signal };
      await (task.type === 'fetch' ? fetchArtifact(task, fetchContext) : fetchExternalArtifact(task, fetchContext, external));
      return { isPassed: true };
    }
    const command = commandOf(task);
    const folder = workingDirectoryIn(pipelineFolder, command.workingDirectory);
    const running = new RunningCommand(command, { ...context, folder });
    const limit = task.type === 'exec' ? task.timeout_seconds : undefined;
    const isLate = withLimit(running, limit, context);
    const ending = await withInterruption(running, interruption, onInterrupted);
    if (await isLate()) return FAILED;
    return outcomeOf(ending, command.program, console, interruption.signal.aborted);
  } catch (failure) {
    const isFetch = task.type === 'fetch' || task.type === 'fetch_external';
    const isExpected = isFetch || EXPECTED_FAILURES.some((one) => failure instanceof one);
    if (isFetch && interruption.signal.aborted && (failure as Error).name === 'AbortError') return FAILED;
    console.notice(TAGS.error, isExpected ? (failure as Error).message : `The task could not be run: ${(failure as Error).message}`);
    return FAILED;
  }
}

/** Ends a program that takes too long. The returned function resolves to whether it did, when nothing of it is left. */
function withLimit(
  running: RunningCommand,
  seconds: number | undefined,
  { console, graceMs = GRACE_MS }: TaskContext,
): () => Promise<boolean> {
  if (seconds === undefined) return async () => false;
  let ending: Promise<void> | undefined;
  const timer = setTimeout(
    () => {
      console.notice(TAGS.error, `The task has taken longer than ${durationText(seconds)}, and is ended.`);
      ending = running.end(graceMs);
    },
    Math.min(seconds * 1000, MAX_TIMER_MS),
  );
  return async () => {
    clearTimeout(timer);
    await ending;
    return ending !== undefined;
  };
}

function durationText(seconds: number): string {
  return seconds % 60 === 0 ? pluralize(seconds / 60, 'minute') : pluralize(seconds, 'second');
}

class BadTask extends Error {}

/** Failures whose messages need no introduction. */
const EXPECTED_FAILURES = [BadTask, BadFolder, UnclosedQuote, UnknownTask];

async function withInterruption(
  running: RunningCommand,
  { signal }: Interruption,
  onInterrupted: (running: RunningCommand) => Promise<void>,
): Promise<ProcessExit> {
  let ending: Promise<void> | undefined;
  const begin = () => {
    ending = onInterrupted(running);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  const ended = await running.ended;
  signal.removeEventListener('abort', begin);
  await ending;
  return ended;
}

function outcomeOf(
  { code, signal, failure, printedFailure }: ProcessExit,
  program: string,
  console: JobConsole,
  isInterrupted: boolean,
): Outcome {
  if (failure) {
    console.notice(TAGS.error, describeStartFailure(program, failure));
    return FAILED;
  }
  if (signal !== null) {
    if (!isInterrupted) console.notice(TAGS.error, `Program "${program}" was ended from outside by the signal ${signal}.`);
    return { isPassed: false, code: codeOfSignal(signal) };
  }
  return { isPassed: code === 0 && !printedFailure, ...(code === null ? {} : { code }) };
}

/** As the task says where the job was cancelled, and without asking otherwise. */
async function endEarly(running: RunningCommand, { on_cancel: onCancel }: WorkTask, context: TaskContext): Promise<void> {
  const { interruption, graceMs = GRACE_MS } = context;
  const { killSignal } = interruption;
  const isCancelled = interruption.reason === 'cancel';
  if (isCancelled && onCancel?.type === 'none') {
    running.keepProcesses();
    await endWhenKilled(running, killSignal);
    return;
  }
  if (isCancelled && onCancel !== null && onCancel.type !== 'none') await runCancelTask(onCancel, context);
  await running.end(graceMs, killSignal);
}

async function runCancelTask(task: CancelTask, context: TaskContext): Promise<void> {
  const { console, interruption } = context;
  const { killSignal } = interruption;
  console.notice(TAGS.cancelStart, `On cancel task: ${describeTask(task)}`);
  const began = performance.now();
  // It is the interruption that it runs in: only a second one ends it.
  const outcome = await executed(task, context, (running) => endWhenKilled(running, killSignal));
  const status = outcome.isPassed ? 'passed' : 'failed';
  console.notice(
    outcome.isPassed ? TAGS.cancelPassed : TAGS.cancelFailed,
    `On cancel task status: ${status}${durationAndCode(began, outcome)}`,
  );
}

async function endWhenKilled(running: RunningCommand, killSignal: AbortSignal): Promise<void> {
  await Promise.race([running.ended, aborted(killSignal)]);
  if (killSignal.aborted) await running.end(0);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
