// How many artifact files may be open for uploads and downloads: slow clients must not take all files that the process may open.
import { maxOpenFiles, shareOf } from '../kit/process/open-files.ts';
import { Refusal } from '../kit/refusal.ts';

export const TOO_MANY_TRANSFERS = 'Too many files are being sent and fetched now. Try again later.';
const RETRY_SECONDS = 10;

export class OpenTransfers {
  readonly #maxTransfers: number;
  #count = 0;

  constructor(maxTransfers: number) {
    this.#maxTransfers = maxTransfers;
  }

  /** Returns a function to call when the file is closed, once or more often. Refused: too many are open. */
  take(): () => void {
    if (this.#count >= this.#maxTransfers) throw new Refusal('unavailable', TOO_MANY_TRANSFERS, { retryAfter: RETRY_SECONDS });
    this.#count++;
    let isOpen = true;
    return () => {
      if (isOpen) this.#count--;
      isOpen = false;
    };
  }
}

/** Of this process. */
export const openTransfers = new OpenTransfers(shareOf(maxOpenFiles()).transfers);
