// A refusal: the server says no to a request, which is no failure of the server. Only the HTTP layer knows its status.
export type RefusalKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'unsupportedAccept'
  | 'malformed'
  | 'unconfirmed'
  | 'unsupportedContent'
  | 'stale'
  | 'conflict'
  | 'gone'
  | 'invalid'
  | 'tooLarge'
  | 'tooMany'
  | 'unavailable'
  | 'insufficientStorage';

export interface RefusalDetails {
  /** The object as it was sent, with the problems beside its fields. */
  readonly data?: unknown;
  /** Further members of the answer's body, beside `message`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Headers the answer carries: name, value, name, value … */
  readonly headers?: readonly string[];
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number;
}

export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly details: RefusalDetails;

  constructor(kind: RefusalKind, message: string, details: RefusalDetails = {}) {
    // An answer needs no stack. Recording one walks all that waits for it, which makes a queue of refused requests cost its square.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    this.details = details;
  }
}
