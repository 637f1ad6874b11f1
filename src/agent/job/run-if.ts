// Whether a task runs after the result of the job so far.
import type { RunIf } from '../../contracts/agent-protocol/work.ts';

export type ResultSoFar = 'Passed' | 'Failed';

export function mayRun(conditions: readonly RunIf[], result: ResultSoFar): boolean {
  const accepted = conditions.length === 0 ? ['passed'] : conditions;
  return accepted.includes('any') || accepted.includes(result === 'Passed' ? 'passed' : 'failed');
}
