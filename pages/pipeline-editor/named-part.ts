// The stage or the job that an address names: who makes the address knows names, not places in lists.
import { useParameter } from '../kit/routing.ts';
import { namedPart, type WithStages } from './part-key.ts';

/** Undefined: the address names none, or none that is there. */
export function useNamedPart(body: WithStages): string | undefined {
  const [stage] = useParameter('stage');
  const [job] = useParameter('job');
  return stage === '' ? undefined : namedPart(body, stage, job);
}
