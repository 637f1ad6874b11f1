// A name for each request, so that an answer can be found in the log.
import { randomBytes } from 'node:crypto';

const ACCEPTABLE = /^[\w.:-]{1,100}$/;
const run = randomBytes(6).toString('hex');
let count = 0;

/** The client's own id where it sent a sensible one. */
export function requestIdOf(header: string | undefined): string {
  return header !== undefined && ACCEPTABLE.test(header) ? header : `${run}-${(++count).toString(36)}`;
}
