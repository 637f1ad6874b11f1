// Finds jobs by name, also by the name of one instance of a job that runs several times.
import { type Job, numberOrKeyword } from './jobs.ts';
import type { NameLookup } from './name-lookup.ts';
import { same } from './same-name.ts';

/** The markers between the name of a job and the number of an instance; a job of one instance has neither. */
const ON_ALL_AGENTS = 'runOnAll';
const SEVERAL_TIMES = 'runInstance';
const INSTANCE = /^(.+)-(runOnAll|runInstance)-\d+$/i;

/** `unit-runInstance-2` is an instance of the job `unit` if that runs several times, whatever the letter case. */
export function jobNamed(jobs: readonly Job[], name: string, lookup: NameLookup): Job | undefined {
  const [, base, marker] = INSTANCE.exec(name) ?? [];
  const own = lookup.find(jobs, nameOf, name);
  const several = base === undefined ? undefined : lookup.find(jobs, nameOf, base);
  return own ?? (several && same(instanceMarker(several) ?? '', marker!) ? several : undefined);
}

function nameOf({ name }: Job): string {
  return name;
}

/** How its instances are named; undefined: there is only one, which has the name of the job. */
export function instanceMarker({ runInstanceCount }: Pick<Job, 'runInstanceCount'>): string | undefined {
  const count = numberOrKeyword(runInstanceCount, 'all');
  if (count === null) return undefined;
  return count === 'all' ? ON_ALL_AGENTS : SEVERAL_TIMES;
}
