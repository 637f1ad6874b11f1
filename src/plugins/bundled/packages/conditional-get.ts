// Asks a package repository for something again, and reads it again only when the repository does not say that it is the same.
import type { PollTools } from '../../../contracts/plugins/poll-tools.ts';
import { setNewest } from '../../../kit/newest-entries.ts';
import { get, type HttpAnswer, type HttpRequest } from './http.ts';

interface CachedAnswer {
  readonly value: unknown;
  readonly condition: Readonly<Record<string, string>>;
}

const MAX_REMEMBERED = 1000;
const NOT_MODIFIED = 304;
const SETTLED_AFTER_MS = 1000;

/** Values of the last answers, which are small; those not asked for longest are forgotten first. */
const lastAnswers = new Map<string, CachedAnswer>();

/** `what` distinguishes the values that different readers get from one address. */
export async function readIfChanged<T>(
  url: URL,
  what: string,
  request: HttpRequest,
  read: (answer: HttpAnswer) => Promise<T>,
  tools: PollTools,
): Promise<T> {
  const key = `${url.href}\n${what}`;
  const known = lastAnswers.get(key);
  const headers = { ...request.headers, ...known?.condition };
  const answer = await get(url, { ...request, headers, alsoWanted: known ? [NOT_MODIFIED] : [] }, tools);
  if (known && answer.status === NOT_MODIFIED) {
    answer.body.resume();
    setNewest(lastAnswers, key, known, MAX_REMEMBERED);
    return known.value as T;
  }
  const value = await read(answer);
  const condition = conditionFor(answer);
  if (condition) setNewest(lastAnswers, key, { value, condition }, MAX_REMEMBERED);
  else lastAnswers.delete(key);
  return value;
}

function conditionFor({ headers }: HttpAnswer): Readonly<Record<string, string>> | undefined {
  const { etag, date, 'last-modified': time } = headers;
  if (etag !== undefined) return { 'if-none-match': etag };
  // Times are in seconds: a file changed just now could change again within the same second (RFC 9110, 8.8.2.2).
  const isSettled = time !== undefined && Date.parse(date ?? '') - Date.parse(time) > SETTLED_AFTER_MS;
  return isSettled ? { 'if-modified-since': time } : undefined;
}
