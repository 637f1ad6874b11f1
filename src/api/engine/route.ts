// A route: one method on one path in one version, its permission, and its answers.
import type { Readable } from 'node:stream';
import type { Identity } from '../../access/identity.ts';
import type { AccessRequest, Action } from '../../access/policy.ts';
import type { UsedFor } from '../../access/scopes/token-use.ts';
import type { Draft } from '../../config/draft.ts';
import type { Author } from '../../config/revision.ts';
import type { Refusal } from '../../kit/refusal.ts';
import type { Json, JsonObject, JsonSchema } from '../../shape/json/json.ts';
import type { Permission, PolicyType } from '../../shape/resource.ts';
import type { Creation } from './verbs/creation.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A ready-made answer; the same object can be sent many times. */
export interface Answer {
  readonly status: number;
  readonly text?: string;
  /** The length of `text` in UTF-8. */
  readonly bytes?: number;
  /** Instead of text: bytes as they are, or as they come. */
  readonly body?: Uint8Array | Readable;
  readonly etag?: string;
  /** Another content type than the route's own. */
  readonly type?: string;
  readonly cacheControl?: string;
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
  /** The version that was asked for, or the newest; null: the route has none. */
  readonly version: number | null;
  /** The moment whose configuration is asked for; undefined: now. */
  readonly at: string | undefined;
  readonly author: Author;
  /** Remembers the draft of a dry run, to describe its effects in the answer. */
  noteDryRun(draft: Draft): void;
  header(name: string): string | undefined;
  /** The body of a route that takes it raw. */
  readonly raw: RawBody;
  /** Calls back when the client goes away without waiting for its answer; returns a function that ends the watch. */
  onGone(callBack: () => void): () => void;
}

export interface RawBody {
  /** The content type without parameters, in lower case. */
  readonly type: string;
  readonly stream: Readable;
  /** All of it; refused when it is larger than the route allows. */
  read(): Promise<Buffer>;
}

/** The resource that a request is about. `missing`: the refusal when it does not exist. */
export interface Subject extends Pick<AccessRequest, 'resource' | 'within'> {
  readonly missing?: Refusal;
}

/** Also lets in users who have a right to the one thing a request is about. */
export interface Guard {
  readonly type: PolicyType;
  readonly action: Action;
  /** The thing; absent: a list, of which each sees their part. */
  on?(request: ApiRequest): Subject;
  /** The thing is named in the body, so the body is read first. */
  readonly isInBody?: boolean;
  /** Only system administrators have this right. */
  readonly isForAdmins?: boolean;
}

/** The action of a route and the resources it acts on, in terms of access token scopes. */
export interface RouteScope {
  /** Routes that do the same have the same object here. */
  readonly what: UsedFor;
  /** With all; with some, which the handler chooses; or with the one that a parameter of the path, or the guard of the route, names. */
  readonly of: 'all' | 'some' | 'guarded' | { readonly parameter: string };
}

/** The scope of a route whose answer does not depend on scopes: every access token may use it, or none. */
export const OPEN = 'open';

export interface Deprecation {
  readonly entity: string;
  readonly deprecatedIn: string;
  readonly removedIn: string;
  readonly successor?: number;
  /** What to do instead when there is no successor. */
  readonly suggestion?: string;
}

/** Part of the documentation, or a function that makes it on demand: making all parts would slow down the start considerably. */
export type Lazy<T extends Json | JsonSchema> = T | (() => T);
export type Example = Lazy<Json>;

export function resolveLazy<T extends Json | JsonSchema>(part: Lazy<T>): T;
export function resolveLazy<T extends Json | JsonSchema>(part: Lazy<T> | undefined): T | undefined;
export function resolveLazy<T extends Json | JsonSchema>(part: Lazy<T> | undefined): T | undefined {
  return typeof part === 'function' ? part() : part;
}

/** A failure: when it happens, and its answer. */
export interface Failure {
  readonly when: string;
  readonly example?: Example;
  /** The schema and the media type of its body, where it is not a message like all others. */
  readonly schema?: JsonSchema;
  readonly type?: string;
}

export interface PathParameter {
  readonly description: string;
  readonly example: string;
}

export interface RouteDescription {
  readonly chapter: string;
  readonly summary: string;
  readonly details?: string;
  /** The users that may use it, where the handler itself decides more than permission and guard say. */
  readonly callers?: string;
  /** The parameters of the path, by name. */
  readonly parameters?: Readonly<Record<string, PathParameter>>;
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Headers that this route alone looks at. */
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  /** An optional body can be left out by clients that send the confirm header instead. */
  readonly request?: { readonly schema: Lazy<JsonSchema>; readonly example: Json; readonly isOptional?: boolean };
  /** The bodies of a route that takes them raw, by media type. */
  readonly bodies?: Readonly<Record<string, { readonly schema: Lazy<JsonSchema>; readonly example?: Json }>>;
  /** Bodies and answers are those of another protocol, made by its clients: they have neither schemas nor examples. Failures have. */
  readonly protocol?: 'git' | 'openid';
  /** The schema of the body of a successful answer. */
  readonly response?: Lazy<JsonSchema>;
  /** A successful answer. */
  readonly example?: Example;
  /** The media type of a successful answer, where it is not that of the version. */
  readonly type?: string;
  /** Other media types of a successful answer, from routes that stand beside this one. */
  readonly alsoAs?: Readonly<Record<string, JsonSchema>>;
  /** The status of a successful answer, 200 unless it says otherwise. */
  readonly status?: number;
  /** Headers that the answers of this route alone carry. */
  readonly answerHeaders?: Readonly<Record<string, JsonSchema>>;
  /** The kind of data that a write changes; `data` by default. Only changes of the configuration are in the change log. */
  readonly changes?: 'configuration' | 'data' | 'nothing';
  /** Whether a write looks at If-Match. */
  readonly ifMatch?: 'required' | 'optional';
  /** `If-None-Match: *`: only if there is none. */
  readonly takesIfNoneMatch?: boolean;
  /** By default answers to `GET` have an ETag, and answers to writes have none. */
  readonly hasEtag?: boolean;
  /** The failures particular to this route, by status, in addition to those of all routes. */
  readonly failures?: Readonly<Record<number, Partial<Failure>>>;
}

export interface Route {
  readonly method: Method;
  /** With parameters as `:name`. */
  readonly path: string;
  /** null: the route has no versions and does not look at Accept. */
  readonly version: number | null;
  /** Older versions that it answers, too: bodies and answers have the same form. */
  readonly alsoVersions?: readonly number[];
  /** Stands beside the versions of its path, for clients that accept this media type; the newest version describes it. */
  readonly media?: string;
  readonly permission: Permission;
  /** The refusal for users who lack the permission, where the route has a message of its own. */
  readonly notAllowed?: (identity: Pick<Identity, 'loginName'>) => Refusal;
  readonly guard?: Guard;
  /** The scope that an access token needs for it; set for all routes together. */
  readonly scope?: RouteScope | typeof OPEN;
  /** It takes JSON merge patches by their own media type, too. */
  readonly takesMergePatch?: boolean;
  /** It takes bodies that are not JSON, up to this size, and looks at them itself. */
  readonly rawBody?: {
    readonly maxBytes: number;
    /** It may take as long as it takes: the route gives up one that stalls. */
    readonly isLong?: boolean;
  };
  /** The body of the entity to create, where the request wraps it in another object. */
  creation?(body: JsonObject): Pick<Creation, 'body'>;
  /** It asks for background work, or shows its state: the server that does it answers. */
  readonly isOfKeeper?: boolean;
  /** It waits until there is something to report, and can be asked again: a server that stops does not wait for another one to answer it. */
  readonly isHeld?: boolean;
  /** It is asked all the time, and may take long: only its failures are logged. */
  readonly isRoutine?: boolean;
  /** It answers from memory, and writes no log line that would have to name its request. */
  readonly logsNothing?: boolean;
  /** Its answers hold secrets, which the length of a compressed answer could betray. */
  readonly isNeverCompressed?: boolean;
  /** A write that is not refused in maintenance mode. */
  readonly worksInMaintenance?: boolean;
  readonly deprecation?: Deprecation;
  /** It shows the configuration, and with `?at=` that of another time; any other route refuses the parameter. */
  readonly showsPast?: boolean;
  readonly description: RouteDescription;
  /** Runs before the body is read; it may refuse, and the headers it returns are added to every answer. */
  before?(request: ApiRequest): readonly string[];
  handle(request: ApiRequest): Answer | Promise<Answer>;
}

export function jsonAnswer(body: unknown, more: Partial<Answer> = {}): Answer {
  const text = JSON.stringify(body);
  return { status: 200, text, bytes: Buffer.byteLength(text), ...more };
}
