// Remembers which tasks are over and done with: the service goes on to show them for about an hour.
import type { ListedAgent } from '../../../../contracts/plugins/elastic-agent.ts';
import { type Members, textIn } from '../calls/read-answer.ts';

const MAX_KEPT = 10_000;

export class OverTasks {
  /** Agents that were removed. */
  readonly #agents = new Set<string>();
  /** The tasks of these agents, which need not be checked any more. */
  readonly #arns = new Set<string>();

  removed(agentId: string): void {
    keep(this.#agents, agentId);
  }

  has(arn: string): boolean {
    return this.#arns.has(arn);
  }

  /** Whether the agent of a task was removed and will not come back. */
  isOver(task: Members, { agentId, state }: ListedAgent): boolean {
    if (state !== 'ended' || !this.#agents.has(agentId)) return false;
    const arn = textIn(task.taskArn);
    if (arn !== undefined) keep(this.#arns, arn);
    return true;
  }
}

/** The oldest go first. */
function keep(set: Set<string>, name: string): void {
  set.add(name);
  if (set.size > MAX_KEPT) set.delete(set.values().next().value!);
}
