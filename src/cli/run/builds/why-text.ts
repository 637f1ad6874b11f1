// Why a pipeline or a job runs or does not, as lines for people.
import { shownText } from '../../output/shown-text.ts';
import type { JobWhy, PipelineWhy, Reason } from './answers.ts';
import { type JobAddress, nameOfJob } from './paths.ts';

export function pipelineWhyText(
  name: string,
  { will_run: willRun, is_requested: isRequested, reasons, last_run: last, materials }: PipelineWhy,
): string {
  const head = willRun
    ? `${name} will run: nothing stops it.`
    : isRequested
      ? `${name} was asked to run, but something stops it:`
      : `${name} does not run by itself now:`;
  const lastRun = last
    ? `Last run: ${name}/${last.counter} (${last.label}), scheduled ${new Date(last.scheduled_date).toISOString()}`
    : 'It has not been run yet.';
  return [
    head,
    ...reasonLines(reasons),
    '',
    lastRun,
    ...materials.flatMap(({ type, description, last_run_revision: used, latest_revision: newest }) => [
      `${type}: ${description}`,
      `  last run from ${used ?? 'nothing'}, newest ${newest ?? 'not known yet'}`,
    ]),
    '',
  ]
    .map(shownText)
    .join('\n');
}

export function jobWhyText(job: JobAddress, { will_run: willRun, state, reasons, agents }: JobWhy): string {
  return [
    `${nameOfJob(job)} is ${state.toLowerCase()}. ${willRun ? 'Nothing stops it.' : reasons.length > 0 ? 'It does not run because:' : ''}`.trimEnd(),
    ...reasonLines(reasons),
    ...(agents.length === 0 ? [] : ['', 'Agents']),
    ...agents.map(
      ({ hostname, uuid, may_take: mayTake, message }) =>
        `  ${hostname ?? uuid}: ${message || (mayTake ? 'may take it' : 'may not take it')}`,
    ),
    '',
  ]
    .map(shownText)
    .join('\n');
}

function reasonLines(reasons: readonly Reason[]): readonly string[] {
  return reasons.map(({ rule, message }) => `- ${message} [${rule}]`);
}
