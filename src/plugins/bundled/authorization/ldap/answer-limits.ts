// Bounds the answers of an LDAP server on one connection. The client for LDAP keeps everything until the end of an answer, beyond any limit
// it asked for, and goes through the messages of one piece by recursion: thousands of small ones would end the process.
import type { Duplex } from 'node:stream';
import { elementAt, SEQUENCE } from './ber.ts';

export interface AnswerLimits {
  readonly bytes: number;
  readonly messages: number;
  /** Maximum number of messages that are handed on together. */
  readonly together: number;
}

/** The default limits: more than a hundred searches find in a directory that keeps to the limits of the requests. */
const LIMITS: AnswerLimits = { bytes: 8 * 1024 * 1024, messages: 20_000, together: 100 };
const TOO_MUCH = 'it answers more than it was asked for.';

/** Cuts the incoming bytes into pieces of few messages. */
export class AnswerPieces {
  readonly #limits: AnswerLimits;
  #bytes = 0;
  #messages = 0;
  /** The number of bytes that the message that has begun still lacks. */
  #missing = 0;
  /** The beginning of a message whose length is not known yet. */
  #header: Buffer = Buffer.alloc(0);

  constructor(limits: AnswerLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Throws when it is too much, or no LDAP. */
  cut(chunk: Buffer): readonly Buffer[] {
    this.#bytes += chunk.length;
    const bytes = Buffer.concat([this.#header, chunk]);
    const pieces: Buffer[] = [];
    let [at, from, count] = [0, 0, 0];
    while (at < bytes.length && this.#beginAt(bytes, at)) {
      const taken = Math.min(this.#missing, bytes.length - at);
      at += taken;
      this.#missing -= taken;
      if (this.#missing > 0) break;
      this.#messages++;
      if (++count % this.#limits.together > 0) continue;
      pieces.push(bytes.subarray(from, at));
      from = at;
    }
    if (this.#bytes > this.#limits.bytes || this.#messages > this.#limits.messages) throw new Error(TOO_MUCH);
    this.#header = bytes.subarray(at);
    return at > from ? [...pieces, bytes.subarray(from, at)] : pieces;
  }

  /** False: the length of the message has not arrived yet. */
  #beginAt(bytes: Buffer, at: number): boolean {
    if (this.#missing > 0) return true;
    const message = elementAt(bytes, at);
    if (!message) return false;
    if (message.tag !== SEQUENCE) throw new Error('its answer is no LDAP.');
    this.#missing = message.end - at;
    if (this.#missing > this.#limits.bytes) throw new Error(TOO_MUCH);
    return true;
  }
}

/** Makes the connection break when too much arrives on it. */
export function bounded<T extends Duplex>(connection: T, pieces = new AnswerPieces()): T {
  const push = connection.push.bind(connection);
  connection.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    try {
      let wantsMore = true;
      for (const piece of pieces.cut(chunk)) wantsMore = push(piece);
      return wantsMore;
    } catch (failure) {
      connection.destroy(failure as Error);
      return false;
    }
  };
  return connection;
}
