// Problems in messages of limited length: they quote the faulty input, which can be long, and can be quoted very often.
import { MAX_MESSAGE_LENGTH, truncate } from '../../kit/text/truncate.ts';

/** Each stays where it is, so that nothing wrong is taken for right; there is only no more to read of it. */
export const NO_ROOM = 'There is a problem here, too. It is reported once there are fewer elsewhere.';

/** Shared by problems that are reported together. */
export class RoomForMessages {
  /** So many characters are reported. */
  #left = 10_000_000;
  /** And so many are gone through to make them short, for that takes time. */
  #leftToCut = 100_000_000;

  /** The same ones where nothing has to be shorter. */
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
