// Interprets the answer of the server to a piece of console output.
import type { ConsoleAnswer } from '../../contracts/agent-protocol/messages.ts';

/** `sent`: the server has that many bytes; `refused`: it wants none of this job any more; `again`: it could not take them now. */
export type Delivery = { readonly kind: 'sent'; readonly length: number } | { readonly kind: 'refused' } | { readonly kind: 'again' };

const CONFLICT = 409;
/** The job is not the agent's, or is gone. */
const REFUSALS: ReadonlySet<number> = new Set([403, 404, CONFLICT, 410]);

export function deliveryOf(status: number, body: string, offset: number): Delivery {
  const length = lengthIn(body);
  if (status >= 200 && status < 300) return length === undefined ? { kind: 'again' } : { kind: 'sent', length };
  // A gap: the server has less than it once said.
  if (status === CONFLICT && length !== undefined && length < offset) return { kind: 'sent', length };
  return REFUSALS.has(status) ? { kind: 'refused' } : { kind: 'again' };
}

function lengthIn(body: string): number | undefined {
  try {
    const { length } = JSON.parse(body) as Partial<ConsoleAnswer>;
    return Number.isSafeInteger(length) ? length : undefined;
  } catch {
    return undefined; // an answer of a proxy in between
  }
}
