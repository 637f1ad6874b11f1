// Asks a server that runs for a plan, and to apply one.
import { answerOf, askServer, reasonHeader } from '../terminal/ask-server.ts';
import type { RemoteServer } from '../terminal/target.ts';
import type { DesiredContent } from './desired-files.ts';
import type { PlanAnswer, PlanError } from './plan-text.ts';

/** The refusal of the server, with all problems. */
export class PlanRefused extends Error {
  readonly errors: readonly PlanError[];

  constructor(message: string, errors: readonly PlanError[]) {
    super(message);
    this.errors = errors;
  }
}

const JSON_TYPE = 'application/json';

interface Answer {
  readonly message?: string;
  readonly data?: { readonly errors?: unknown; readonly moved?: readonly MovedEntity[]; readonly lists?: readonly string[] };
}

interface MovedEntity {
  readonly resource: string;
  readonly id: string;
  readonly what: string;
  readonly actor?: string;
  readonly revision?: number;
}

/** Throws `PlanRefused` with all problems of the desired state. */
export async function planRemotely(server: RemoteServer, desired: DesiredContent): Promise<PlanAnswer> {
  const { answer } =
    'state' in desired
      ? await post(server, '', JSON_TYPE, JSON.stringify(desired.state))
      : await post(server, desired.isPruned ? '?prune=true' : '', 'text/xml', desired.file);
  const { errors, ...plan } = answer as unknown as PlanAnswer & { readonly errors: readonly PlanError[] };
  if (errors.length > 0) throw new PlanRefused('What is wanted cannot be:', errors);
  return plan;
}

/** Returns the revision it made. */
export async function applyRemotely(server: RemoteServer, id: string, reason: string): Promise<string | null> {
  return (await post(server, `/${encodeURIComponent(id)}/apply`, JSON_TYPE, '{}', reason)).revision;
}

async function post(server: RemoteServer, path: string, type: string, body: string | Uint8Array<ArrayBuffer>, reason?: string) {
  const response = await askServer(server, `/api/admin/config/plan${path}`, {
    method: 'POST',
    headers: {
      Accept: 'application/vnd.svc.v1+json',
      'Content-Type': type,
      ...(reason !== undefined && reasonHeader(reason)),
    },
    body,
  });
  const answer: Answer = await answerOf(response, server);
  if (!response.ok) throw new PlanRefused(`${answer.message ?? 'Refused.'} (${response.status})`, errorsIn(answer));
  return { answer, revision: response.headers.get('x-svc-revision') };
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
