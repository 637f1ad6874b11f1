// The job whose console a request is about.
import type { Consoles } from '../../../builds/console/consoles.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { ApiRequest } from '../../engine/route.ts';
import { noConsole, noCounter, noJob } from './docs.ts';
import { type FoundJob, type JobAccessParts, type JobLocatorQuery, locatorOf, readCounter, visibleJob, writtenLocator } from './jobs.ts';

export interface ReadableParts extends JobAccessParts {
  readonly consoles: Consoles;
}

/** A job that may be seen, and whose console is not gone. */
export async function readable(parts: ReadableParts, request: ApiRequest): Promise<FoundJob> {
  const locator = locatorIn(request);
  const found = await visibleJob(parts, request.identity, locator, noJob(writtenLocator(request.params)));
  if (!found.isActive && (await parts.consoles.size(found.identifier)) === undefined)
    throw new Refusal('notFound', noConsole(found.identifier.job));
  return found;
}

export function locatorIn({ params }: ApiRequest): JobLocatorQuery {
  for (const name of ['pipeline_counter', 'stage_counter'])
    if (readCounter(params[name]) === undefined) throw new Refusal('malformed', noCounter(name));
  return locatorOf(params)!;
}
