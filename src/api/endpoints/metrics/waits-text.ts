// The histogram of waiting times as text. The library can only count by itself, and would have to be loaded before the first job.
import type { BuildFigures } from './build-figures.ts';

const NAME = 'slipway_job_wait_seconds';

export function waitsText(builds: BuildFigures | undefined): string {
  if (!builds) return '';
  const { count, seconds, atMost } = builds.waits;
  return [
    `# HELP ${NAME} How long jobs have waited for an agent.`,
    `# TYPE ${NAME} histogram`,
    ...[...atMost, { bound: '+Inf', count }].map((one) => `${NAME}_bucket{le="${one.bound}"} ${one.count}`),
    `${NAME}_sum ${seconds}`,
    `${NAME}_count ${count}`,
    '',
  ].join('\n');
}
