// A route: one method on one path in one version, who may use it, and what it answers.
import type { Identity } from '../access/identity.ts';
import type { Action } from '../access/policy.ts';
import type { Author } from '../config/change.ts';
import type { Json, JsonObject, JsonSchema } from '../shape/json.ts';
import type { Permission, PolicyType } from '../shape/resource.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A ready-made answer; the same object can be sent many times. */
export interface Answer {
  readonly status: number;
  readonly text?: string;
  /** The length of `text` in UTF-8. */
  readonly bytes?: number;
  readonly etag?: string;
  /** Another content type than the route's own. */
  readonly type?: string;
  /** The revision of the configuration that a write made. */
  readonly revision?: number | undefined;
  /** Further headers: name, value, name, value … */
  readonly headers?: readonly string[];
}

export interface ApiRequest {
  readonly identity: Identity;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** Where links start: scheme, host, port and context path as the client sees them. */
  readonly base: string;
  /** The body; an empty object when there is none. */
  readonly body: JsonObject;
  readonly isDryRun: boolean;
  readonly author: Author;
  header(name: string): string | undefined;
}

/** Lets in those, too, who have a right to the one thing a request is about. */
export interface Guard {
  readonly type: PolicyType;
  readonly action: Action;
  /** The thing; absent: a list, of which each sees their part. */
  on?(request: ApiRequest): { readonly resource: string; readonly within?: string };
  /** The thing is named in the body, so the body is read first. */
  readonly isInBody?: boolean;
}

export interface Deprecation {
  readonly entity: string;
  readonly deprecatedIn: string;
  readonly removedIn: string;
  readonly successor?: number;
  /** What to do instead when there is no successor. */
  readonly suggestion?: string;
}

export interface RouteDescription {
  readonly chapter: string;
  readonly summary: string;
  readonly details?: string;
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly request?: { readonly schema: JsonSchema; readonly example: Json };
  /** The schema of the body of a successful answer. */
  readonly response?: JsonSchema;
  /** A successful answer. */
  readonly example?: Json;
  /** The status of a successful answer, 200 unless it says otherwise. */
  readonly status?: number;
  readonly needsIfMatch?: boolean;
  readonly hasEtag?: boolean;
  /** What can go wrong beyond what is common to all routes: status → when. */
  readonly failures?: Readonly<Record<number, string>>;
}

export interface Route {
  readonly method: Method;
  /** With parameters as `:name`. */
  readonly path: string;
  /** null: the route has no versions and does not look at Accept. */
  readonly version: number | null;
  readonly permission: Permission;
  readonly guard?: Guard;
  /** A body-less write needs the confirm header unless the route says an empty body is fine. */
  readonly mayBeEmpty?: boolean;
  readonly deprecation?: Deprecation;
  readonly description: RouteDescription;
  /** What is looked at before the body is read; it may refuse, and it may add headers to whatever the answer will be. */
  before?(request: ApiRequest): readonly string[];
  handle(request: ApiRequest): Answer | Promise<Answer>;
}

export function jsonAnswer(body: unknown, more: Partial<Answer> = {}): Answer {
  const text = JSON.stringify(body);
  return { status: 200, text, bytes: Buffer.byteLength(text), ...more };
}
