// Why a request to a store failed.
import { ForbiddenAddress } from '../network/reach.ts';

/** The store refused, or could not be asked. */
export class BucketFailure extends Error {
  /** The HTTP status of its answer; undefined: it gave none. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }

  /** Whether the same request can succeed another time. */
  get isTransient(): boolean {
    if (this.cause instanceof ForbiddenAddress) return false;
    return this.status === undefined || this.status >= 500 || this.status === 429 || this.status === 408;
  }
}
