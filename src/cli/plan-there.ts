// Asks a server that runs for a plan, and to apply one.
import type { JsonObject } from '../shape/json.ts';
import type { PlanError, Planned } from './plan-text.ts';
import type { RemoteServer } from './target.ts';

/** What the server says when it refuses, with all that is wrong. */
export class PlanRefused extends Error {
  readonly errors: readonly PlanError[];

  constructor(message: string, errors: readonly PlanError[]) {
    super(message);
    this.errors = errors;
  }
}

interface Answer {
  readonly message?: string;
  readonly data?: { readonly errors?: unknown; readonly moved?: readonly Moved[]; readonly lists?: readonly string[] };
}

interface Moved {
  readonly resource: string;
  readonly id: string;
  readonly what: string;
  readonly actor?: string;
  readonly revision?: number;
}

export async function planThere(server: RemoteServer, desired: JsonObject): Promise<Planned> {
  return (await post(server, '', desired)).answer as unknown as Planned;
}

/** Returns the revision it made. */
export async function applyThere(server: RemoteServer, id: string, reason: string): Promise<string | null> {
  return (await post(server, `/${encodeURIComponent(id)}/apply`, {}, reason)).revision;
}

async function post({ url, authorization }: RemoteServer, path: string, body: JsonObject, reason?: string) {
  const response = await fetch(`${url}/api/admin/config/plan${path}`, {
    method: 'POST',
    headers: {
      Authorization: authorization,
      Accept: 'application/vnd.svc.v1+json',
      'Content-Type': 'application/json',
      // A header takes bytes: UTF-8 read as Latin-1.
      ...(reason !== undefined && { 'X-Svc-Reason': Buffer.from(reason, 'utf8').toString('latin1') }),
    },
    body: JSON.stringify(body),
  }).catch((failure: Error) => {
    throw new PlanRefused(`${url} cannot be reached: ${(failure.cause as Error | undefined)?.message ?? failure.message}`, []);
  });
  const answer = await answerOf(response, url);
  if (!response.ok) throw new PlanRefused(`${answer.message ?? 'Refused.'} (${response.status})`, errorsIn(answer));
  return { answer, revision: response.headers.get('x-svc-revision') };
}

async function answerOf(response: Response, url: string): Promise<Answer> {
  try {
    return (await response.json()) as Answer;
  } catch {
    throw new PlanRefused(`${url} does not answer as a Slipway server does (${response.status}).`, []);
  }
}

function errorsIn({ data: { errors, moved = [], lists = [] } = {} }: Answer): PlanError[] {
  if (Array.isArray(errors)) return errors as PlanError[];
  return [
    ...moved.map(({ resource, id, what, actor, revision }) => {
      const by = actor === undefined ? '' : ` by ${actor} in revision ${revision}`;
      return { resource, id, path: '', message: `was ${what}${by}.` };
    }),
    ...lists.map((resource) => ({ resource, id: null, path: '', message: 'some have come or gone.' })),
  ];
}
