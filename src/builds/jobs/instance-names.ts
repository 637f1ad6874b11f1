// Names of jobs that run several times: `<job>-runInstance-<i>`, and `<job>-runOnAll-<i>` on every agent.

/** How often a job runs: once, so many times, or on every agent that fits. */
export type InstanceCount = number | 'all' | null;

const MARKED = /^(.+)-(runOnAll|runInstance)-(\d+)$/i;

export function instanceName(job: string, count: InstanceCount, index: number): string {
  return count === null ? job : `${job}-${markerOf(count)}-${index}`;
}

/** Of the name of an instance. */
export function instanceIndexOf(name: string): number {
  return Number(MARKED.exec(name)?.[3] ?? 1);
}

/** The configuration may hold numbers as texts, where they come from parameters. */
export function instanceCountOf(written: number | string | null): InstanceCount {
  if (written === null || written === '') return null;
  return String(written).toLowerCase() === 'all' ? 'all' : Number(written);
}

/** Of which configured job this is, or is an instance; a job whose number of instances was changed since then is another one. */
export function configuredJobOf<J extends { readonly name: string; readonly runInstanceCount: number | string | null }>(
  name: string,
  jobs: readonly J[],
): J | undefined {
  const [, base, marker] = MARKED.exec(name) ?? [];
  return jobs.find((job) => {
    const count = instanceCountOf(job.runInstanceCount);
    return count === null ? isSame(job.name, name) : base !== undefined && isSame(job.name, base) && isSame(markerOf(count), marker!);
  });
}

function markerOf(count: number | 'all'): string {
  return count === 'all' ? 'runOnAll' : 'runInstance';
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
