// Jobs on their way: given to agents, followed by their reports, taken back from agents that are lost.
import type { CompiledQuery } from 'kysely';
import type { JobClaim, Order, Poll, Report } from '../../contracts/agent-protocol/messages.ts';
import { Histogram, WORK_BOUNDS } from '../../kit/telemetry/histogram.ts';
import type { Job } from '../../store/builds/jobs.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import type { BuildState } from '../build-state.ts';
import { jobAssigned, jobCompleted, jobRescheduled } from '../runs/run-events.ts';
import type { ActiveJob, ActiveStageRun } from './active-builds.ts';
import { type AssignableAgent, type AssignableJob, mayTake } from './assign.ts';
import { type CancellingJob, type HungJobs, hungJobs, stuckJobs } from './hung-jobs.ts';
import type { JobQueueParts } from './job-queue-parts.ts';
import { type JobState, mayStillAdd, transition } from './job-states.ts';
import { planText } from './stored-plan.ts';

interface Change {
  readonly statements: readonly CompiledQuery[];
  readonly events: readonly NewEvent[];
}

export class JobQueue {
  /** How long jobs have waited for an agent. */
  readonly waits = new Histogram(WORK_BOUNDS);
  readonly #parts: JobQueueParts;
  readonly #state: BuildState;
  /** Jobs that were cancelled while an agent worked on them, until it has ended them. */
  readonly #cancelling = new Map<number, CancellingJob>();
  /** Agents whose unfinished jobs are known: the cancelled ones among them are in `#cancelling`, and all other cancelled ones are done. */
  readonly #reconciledAgents = new Set<string>();

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
    this.#state = parts.state;
  }

  clear(): void {
    this.#cancelling.clear();
    this.#reconciledAgents.clear();
  }

  /** The next order for an agent; undefined: none yet. */
  async nextOrder(agent: AssignableAgent, { jobs }: Pick<Poll, 'jobs'>): Promise<Order | undefined> {
    this.#parts.mustBeStarted();
    this.#forgetCancelled(agent.uuid, jobs);
    for (const claim of jobs) {
      const order = await this.#orderFor(agent.uuid, claim);
      if (order) return order;
    }
    this.#reconciledAgents.add(agent.uuid);
    if (jobs.length > 0) return undefined;
    const own = this.#state.active.ofAgent(agent.uuid);
    // The answer with its work was lost on the way; or the agent has lost the job it had begun.
    if (own?.row.state === 'Assigned') return this.#workOrder(own, agent);
    if (own) await this.reschedule(own, 'The agent does not work on it any more.');
    return this.#assign(agent);
  }

  /** Whether it counts: false when the job is not the agent's any more. */
  async report(uuid: string, id: number, report: Report): Promise<boolean> {
    this.#parts.mustBeStarted();
    const job = this.#state.active.job(id);
    if (!job) return this.#isReportOfEnded(uuid, id, report);
    const { row } = job;
    const current = {
      state: row.state,
      result: row.result,
      agent: row.agent_uuid,
      epoch: row.epoch,
      lastReport: row.last_report,
    };
    const next = transition(current, { ...report, agent: uuid });
    if (next === 'refused') return false;
    if (next === 'ignored') {
      // The first one may not be on disk yet, and an agent that hears that it counts forgets the job.
      await this.#state.writer.written();
      return true;
    }
    const { statements } = this.#change(job, { state: next.state, result: next.result, last_report: report.number }, next.transitions);
    const isCompleted = next.state === 'Completed';
    await this.#state.writer.commit({ statements, events: isCompleted ? [jobCompleted(job, next.result)] : [] });
    if (isCompleted) this.#completed(job);
    return true;
  }

  /** Output or artifacts of the job have come: it is not hung. */
  touch(id: number): void {
    const job = this.#state.active.job(id);
    if (job) job.activeAt = this.#state.now();
  }

  /** Ends all jobs of a stage run in memory, and returns the statements to write. Agents hear of it when `notifyCancelled` is called. */
  cancel(stageRun: ActiveStageRun, jobs: readonly ActiveJob[] = [...stageRun.active.values()]): Change {
    const changes = jobs.map((job) => {
      const { statements } = this.#change(job, { state: 'Completed', result: 'Cancelled' }, ['Completed']);
      const { agent_uuid: agent, id, epoch } = job.row;
      if (agent !== null) this.#cancelling.set(id, { agent, epoch, job, since: this.#state.now(), mustKill: false });
      else this.#parts.onEnd(job);
      return { statements, event: jobCompleted(job, 'Cancelled') };
    });
    return { statements: changes.flatMap(({ statements }) => statements), events: changes.map(({ event }) => event) };
  }

  notifyCancelled(jobs: readonly ActiveJob[]): void {
    for (const { row } of jobs) if (row.agent_uuid !== null) this.#parts.wake(row.agent_uuid);
  }

  /** Ends the processes of a cancelled job at once. False: the agent is not cancelling anything. */
  kill(uuid: string): boolean {
    const cancelling = [...this.#cancelling.values()].filter(({ agent }) => agent === uuid);
    for (const job of cancelling) job.mustKill = true;
    if (cancelling.length > 0) this.#parts.wake(uuid);
    return cancelling.length > 0;
  }

  isCancelling(uuid: string): boolean {
    return this.#cancelling.values().some(({ agent }) => agent === uuid);
  }

  /** Waiting for an agent does not count while no agent gets a job. */
  hung(): HungJobs {
    if (this.#parts.isHeld()) this.#state.active.waitAnew(this.#state.now());
    return hungJobs(this.#state.active.jobs(), this.#state.now());
  }

  /** Cancelled jobs that their agents still have to end, as far as they are known. */
  cancelled(): readonly ActiveJob[] {
    return [...this.#cancelling.values()].flatMap(({ job }) => job ?? []);
  }

  /** Cancelled jobs that agents should have ended long ago. */
  stuck(): readonly CancellingJob[] {
    return stuckJobs(this.#cancelling.values(), this.#state.now());
  }

  /** The cancelled job that an agent is ending. */
  cancelledOn(uuid: string): ActiveJob | undefined {
    return this.#cancelling.values().find(({ agent }) => agent === uuid)?.job;
  }

  /** Whether an agent may still add to the console of a job. */
  async isOwner(uuid: string, id: number, epoch: number): Promise<boolean> {
    this.#parts.mustBeStarted();
    const row = this.#state.active.job(id)?.row;
    if (row) return row.agent_uuid === uuid && row.epoch === epoch;
    // One that was cancelled prints until the agent has ended it. All others are complete: no agent may add to their consoles.
    const cancelling = this.#cancelling.get(id);
    if (cancelling) return cancelling.agent === uuid && cancelling.epoch === epoch;
    const ended = this.#reconciledAgents.has(uuid) ? undefined : await this.#endedRow(uuid, id, epoch);
    return ended !== undefined && mayStillAdd(ended, this.#state.now());
  }

  /** The agent is lost: another one does it again. */
  async reschedule(job: ActiveJob, reason: string): Promise<void> {
    const state = this.#state;
    const now = state.now();
    const event = jobRescheduled(job, reason);
    const { row, stageRun, plan } = job;
    const id = state.ids.next('jobs');
    const fresh: Job = { ...row, id, state: 'Scheduled', result: 'Unknown', agent_uuid: null, scheduled_at: now, last_report: 0 };
    const successor: ActiveJob = { row: fresh, stageRun, plan, transitions: 1, activeAt: now };
    state.active.replace(job, successor);
    const position = job.transitions;
    await state.writer.commit({
      events: [event],
      statements: [
        state.jobs.change(row.id, { state: 'Rescheduled', completed_at: now }),
        state.jobs.addTransition({ job_id: row.id, position, state: 'Rescheduled', at: now }),
        state.jobs.removePlan(row.id),
        ...state.jobs.add(fresh, planText(plan)),
        state.jobs.addTransition({ job_id: id, position: 0, state: 'Scheduled', at: now }),
        ...this.#parts.artifacts.revokeStatements(job),
      ],
    });
    this.#parts.artifacts.revoke(job);
    this.#parts.wakeAll();
  }

  /** The agent was started anew: its work is lost. */
  restarted(uuid: string): Promise<void> {
    this.#reconciledAgents.add(uuid);
    return this.#reclaim(uuid, 'The agent was started again.');
  }

  /** The agent had no contact for too long. One that returns is sent its cancelled jobs again. */
  lost(uuid: string): Promise<void> {
    this.#reconciledAgents.delete(uuid);
    return this.#reclaim(uuid, 'The agent has lost contact.');
  }

  /** The properties for the rule of assignment; undefined: the job is not in the configuration any more. */
  assignable(job: ActiveJob): AssignableJob | undefined {
    return this.#parts.assignable(job);
  }

  async #reclaim(uuid: string, reason: string): Promise<void> {
    this.#forgetCancelled(uuid, []);
    const job = this.#state.active.ofAgent(uuid);
    if (job) await this.reschedule(job, reason);
  }

  async #assign(agent: AssignableAgent): Promise<Order | undefined> {
    if (this.#parts.isHeld() || agent.state !== 'Enabled') return undefined;
    for (const job of this.#state.active.waiting()) {
      const assignable = this.#parts.assignable(job);
      if (!assignable || mayTake(assignable, agent) !== true) continue;
      const event = jobAssigned(job, agent.uuid);
      const { statements } = this.#change(job, { state: 'Assigned', agent_uuid: agent.uuid, epoch: job.row.epoch + 1 }, ['Assigned']);
      await this.#state.writer.commit({ statements, events: [event] });
      this.waits.add((this.#state.now() - job.row.scheduled_at) / 1000);
      // One that cannot begin has ended, and the next one may be for this agent as well.
      return (await this.#workOrder(job, agent)) ?? this.#assign(agent);
    }
    return undefined;
  }

  async #workOrder(job: ActiveJob, agent: AssignableAgent): Promise<Order | undefined> {
    try {
      return { order: 'work', work: await this.#parts.workOf(job, agent) };
    } catch (failure) {
      await this.#parts.note(job, `The job cannot begin: ${(failure as Error).message}`);
      // It may have been cancelled or taken back meanwhile.
      if (this.#state.active.job(job.row.id) !== job) return undefined;
      const { statements } = this.#change(job, { state: 'Completed', result: 'Failed' }, ['Completed']);
      await this.#state.writer.commit({ statements, events: [jobCompleted(job, 'Failed')] });
      this.#completed(job);
      return undefined;
    }
  }

  async #orderFor(uuid: string, { job: id, epoch, is_cancelling: isCancelling }: JobClaim): Promise<Order | undefined> {
    const active = this.#state.active.job(id)?.row;
    if (active?.agent_uuid === uuid && active.epoch === epoch) return undefined;
    const cancelling = this.#cancelling.get(id) ?? (await this.#cancelledBefore(uuid, id, epoch));
    if (cancelling === 'completed') return undefined;
    if (!cancelling) return { order: 'drop', job: id };
    if (cancelling.mustKill) return { order: 'kill', job: id };
    return isCancelling ? undefined : { order: 'cancel', job: id };
  }

  /** One that was cancelled while another server gave out jobs, or before this one was started. One that is completed the agent is about to forget. */
  async #cancelledBefore(uuid: string, id: number, epoch: number): Promise<CancellingJob | 'completed' | undefined> {
    const row = await this.#endedRow(uuid, id, epoch);
    if (row?.state !== 'Completed') return undefined;
    if (row.result !== 'Cancelled') return 'completed';
    const cancelling = { agent: uuid, epoch, job: undefined, since: this.#state.now(), mustKill: false };
    this.#cancelling.set(id, cancelling);
    return cancelling;
  }

  async #isReportOfEnded(uuid: string, id: number, { epoch, state }: Pick<Report, 'epoch' | 'state'>): Promise<boolean> {
    if (!(await this.#endedRow(uuid, id, epoch))) return false;
    if (state !== 'Completed') return true;
    this.#reconciledAgents.add(uuid);
    this.#forget(id);
    return true;
  }

  /** A job that has ended on this agent, and was not given to another one. */
  async #endedRow(uuid: string, id: number, epoch: number): Promise<Job | undefined> {
    await this.#state.writer.written();
    const row = await this.#state.jobs.byId(id);
    return row?.agent_uuid === uuid && row.epoch === epoch && row.state !== 'Rescheduled' ? row : undefined;
  }

  /** Forgets the cancelled jobs that the agent does not claim any more: it has ended them. */
  #forgetCancelled(uuid: string, claims: readonly JobClaim[]): void {
    for (const [id, { agent }] of this.#cancelling) if (agent === uuid && !claims.some(({ job }) => job === id)) this.#forget(id);
  }

  /** The agent has ended it: no more lines will come. */
  #forget(id: number): void {
    const job = this.#cancelling.get(id)?.job;
    this.#cancelling.delete(id);
    if (job) this.#parts.onEnd(job);
  }

  #completed(job: ActiveJob): void {
    this.#parts.onEnd(job);
    if (job.stageRun.active.size === 0) this.#parts.onDone(job.stageRun);
  }

  /** In memory at once, so that the next decision counts on it. */
  #change(job: ActiveJob, change: Partial<Job> & Pick<Job, 'state'>, states: readonly JobState[]): Pick<Change, 'statements'> {
    const now = this.#state.now();
    const isCompleted = change.state === 'Completed';
    const whole = { ...change, ...(isCompleted && { completed_at: now }) };
    const { id } = job.row;
    const transitions = states.map((state, index) =>
      this.#state.jobs.addTransition({ job_id: id, position: job.transitions + index, state, at: now }),
    );
    job.transitions += states.length;
    job.activeAt = now;
    this.#state.active.change(job, { ...job.row, ...whole });
    return { statements: [this.#state.jobs.change(id, whole), ...transitions, ...(isCompleted ? [this.#state.jobs.removePlan(id)] : [])] };
  }
}
