// The messages about a bucket that fails: for the client that waits for it, and for administrators.

import { Refusal } from '../../../kit/refusal.ts';
import { BucketFailure } from '../../../kit/s3/failure.ts';
import { type BucketAddress, describeBucket } from './address.ts';

/** For administrators. */
export interface BucketMessage {
  readonly message: string;
  readonly detail: string;
}

const RETRY_SECONDS = 15;
const ACCOUNT =
  'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the clock of the server, and that the account may list, read, write and delete';
const ADVICE: Readonly<Record<number, string>> = {
  301: 'Check the region: SLIPWAY_ARTIFACTS_REGION or AWS_REGION',
  307: 'Check the region: SLIPWAY_ARTIFACTS_REGION or AWS_REGION',
  400: 'Check the region: SLIPWAY_ARTIFACTS_REGION or AWS_REGION',
  401: ACCOUNT,
  403: ACCOUNT,
  404: 'Make the bucket, or correct SLIPWAY_ARTIFACTS_BUCKET',
  507: 'Make room in the store',
};

/** Users need not know where the bucket is. */
function refusalOf({ status }: BucketFailure): Refusal {
  const behaviour = status === undefined ? 'does not answer' : status === 403 ? 'refuses the server' : `answers with an error (${status})`;
  const message = `The bucket of the artifacts ${behaviour}. Try again later. Administrators find the reason among the server health messages.`;
  return new Refusal('unavailable', message, { retryAfter: RETRY_SECONDS });
}

function bucketMessage(failure: BucketFailure, address: BucketAddress): BucketMessage {
  const advice = failure.status === undefined ? 'Check SLIPWAY_ARTIFACTS_ENDPOINT, and the way there' : ADVICE[failure.status];
  const detail = failure.message.endsWith('.') ? failure.message : `${failure.message}.`;
  return {
    message: `The bucket of the artifacts, ${describeBucket(address)}, cannot be used.`,
    detail: advice === undefined ? detail : `${detail} ${advice}.`,
  };
}

/** Turns failures of a bucket into refusals, and reports trouble when it begins and when it is over. */
export class Guard {
  readonly #address: BucketAddress;
  readonly #report: (trouble: BucketMessage | undefined) => void;
  #isTroubled = false;

  constructor(address: BucketAddress, report: (trouble: BucketMessage | undefined) => void) {
    this.#address = address;
    this.#report = report;
  }

  async run<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.works();
      return answer;
    } catch (failure) {
      throw this.refused(failure);
    }
  }

  get isTroubled(): boolean {
    return this.#isTroubled;
  }

  works(): void {
    if (this.#isTroubled) this.#report(undefined);
    this.#isTroubled = false;
  }

  /** A failure that does not come from the bucket stays as it is. */
  refused(failure: unknown): unknown {
    if (!(failure instanceof BucketFailure)) return failure;
    this.#isTroubled = true;
    this.#report(bucketMessage(failure, this.#address));
    return refusalOf(failure);
  }
}
