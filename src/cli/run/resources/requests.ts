// Reads and changes the entities of a resource, by its form.
import { prepareRequest } from '../../../../client/request.ts';
import { isObject, type JsonObject } from '../../../shape/json/json.ts';
import { acceptedBy, answerOf, askServer } from '../../terminal/ask-server.ts';
import { CommandFailed, kindOfStatus, refusalText } from '../../terminal/failures.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import { type Form, pathOf, type Subject } from './forms.ts';
import type { DryRunPlan } from './preview.ts';
import { problemsIn } from './problems.ts';

const MERGE_PATCH = 'application/merge-patch+json';

export interface Entity {
  readonly value: JsonObject;
  readonly etag: string | undefined;
}

export async function readEntity(server: RemoteServer, subject: Subject, at?: string): Promise<Entity> {
  const response = await acceptedBy(server, withAt(pathOf(subject), at), { headers: acceptOf(subject.form) });
  return { value: await answerOf<JsonObject>(response, server), etag: response.headers.get('etag') ?? undefined };
}

/** Undefined: there is none. */
export async function findEntity(server: RemoteServer, subject: Subject, at?: string): Promise<Entity | undefined> {
  return readEntity(server, subject, at).catch((failure: unknown) => {
    if (failure instanceof CommandFailed && failure.kind === 'notFound') return undefined;
    throw failure;
  });
}

/** A member of a list; `under` is the name of the group in which it is listed, where there are groups. */
export interface ListedItem {
  readonly value: JsonObject;
  readonly under?: string;
}

export async function listEntities(server: RemoteServer, form: Form, at?: string, ask?: RequestInit): Promise<readonly ListedItem[]> {
  const response = await acceptedBy(server, withAt(form.path, at), { ...ask, headers: acceptOf(form) });
  const { _embedded: embedded } = await answerOf<{ readonly _embedded?: JsonObject }>(response, server);
  return listedIn(embedded ?? {}, form.list_key ?? form.resource);
}

/** A list stands under its key; one that is arranged in groups has the key in each group. */
function listedIn(embedded: JsonObject, key: string): readonly ListedItem[] {
  const own = embedded[key];
  if (Array.isArray(own)) return own.filter(isObject).map((value) => ({ value }));
  const groups = Object.values(embedded).flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
  return groups.flatMap((group) => listedIn(group, key).map(({ value }) => ({ value, under: String(group.name ?? '') })));
}

export interface Change {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly subject: Subject;
  readonly body?: JsonObject;
  /** The version that it changes. */
  readonly etag?: string | undefined;
  readonly reason?: string | undefined;
  /** Changes of others to other fields stay. */
  readonly isMerged?: boolean;
}

export interface ChangeResult {
  readonly value: JsonObject;
  /** Undefined: nothing was different. */
  readonly revision: string | undefined;
}

/** The refusal of a change by the server, with all problems. */
export class ChangeRefused extends CommandFailed {
  readonly status: number;
  readonly answer: JsonObject;

  constructor(url: string, status: number, answer: JsonObject) {
    const problems = status === 422 ? problemsIn(answer).map((line) => `\n  ${line}`) : [];
    super(`${refusalText(url, status, answer.message)}${problems.join('')}`, { kind: kindOfStatus(status) });
    this.status = status;
    this.answer = answer;
  }
}

export async function makeChange(server: RemoteServer, change: Change): Promise<ChangeResult> {
  const response = await send(server, change, '');
  const value = await answerOf<JsonObject>(response, server);
  if (!response.ok) throw new ChangeRefused(server.url, response.status, value);
  // An unchanged entity keeps its version, and the answer names the revision that made it.
  const isSame = change.etag !== undefined && response.headers.get('etag') === change.etag;
  return { value, revision: isSame ? undefined : (response.headers.get('x-svc-revision') ?? undefined) };
}

/** The changes that a request would make. Throws where the server would refuse it. */
export async function previewChange(server: RemoteServer, change: Change): Promise<DryRunPlan> {
  const response = await send(server, change, '?dry_run=true');
  const answer = await answerOf<JsonObject>(response, server);
  if (!response.ok) throw new ChangeRefused(server.url, response.status, answer);
  return planIn(answer);
}

/** Of an answer to a dry run. Without a plan nothing would change. */
function planIn({ _plan: plan }: JsonObject): DryRunPlan {
  const empty: DryRunPlan = { changes: [], affected: [] };
  return isObject(plan) ? { ...empty, ...(plan as unknown as Partial<DryRunPlan>) } : empty;
}

function send(server: RemoteServer, { method, subject, body, etag, reason, isMerged }: Change, query: string): Promise<Response> {
  const path = method === 'POST' ? subject.form.path : pathOf(subject);
  const content = body && method === 'PATCH' ? { file: { type: MERGE_PATCH, text: JSON.stringify(body) } } : { body };
  const request = prepareRequest({ method, version: subject.form.version, ...content, ifMatch: etag, reason, isMerged });
  return askServer(server, `${path}${query}`, request);
}

function acceptOf({ version }: Form): Readonly<Record<string, string>> {
  return { Accept: `application/vnd.svc.v${version}+json` };
}

function withAt(path: string, at: string | undefined): string {
  return at === undefined ? path : `${path}?at=${encodeURIComponent(at)}`;
}
