// Problems in messages of limited length: they quote the faulty input, which can be long, and can be quoted very often.
import { MAX_MESSAGE_LENGTH, truncate } from '../../kit/text/truncate.ts';

/** Each stays where it is, so that nothing wrong is taken for right; there is only no more to read of it. */
export const NO_ROOM = 'There is a problem here, too. It is reported once there are fewer elsewhere.';

/** Shared by problems that are reported together. */
export class RoomForMessages {
  /** Number of characters that may still be reported. */
  #left = 10_000_000;
  /** Number of characters that may still be read in order to shorten messages, because that takes time. */
  #leftToCut = 100_000_000;

  /** Problems that need not be shortened are returned as they are. */
  shorten<P extends { readonly message: string }>(problems: readonly P[]): readonly P[] {
    return problems.map((problem) => {
      const message = this.#short(problem.message);
      return message === problem.message ? problem : { ...problem, message };
    });
  }

  #short(message: string): string {
    const { length } = message;
    const isCut = length > MAX_MESSAGE_LENGTH;
    if (this.#left < MAX_MESSAGE_LENGTH || (isCut && this.#leftToCut < length)) return NO_ROOM;
    if (isCut) this.#leftToCut -= length;
    this.#left -= Math.min(length, MAX_MESSAGE_LENGTH);
    return isCut ? truncate(message) : message;
  }
}
