// A log in which an outage of the database does not fill page after page: all work that needs it fails again and again until it is back.
import type { Log } from '../../kit/log.ts';
import { isDatabaseOutage } from '../../store/unavailable.ts';

const EVERY_MS = 60_000;

/** Failures for want of the database are counted: a short line now and then reports them. Each is written as it is at the level `debug`. */
export function outageLog(log: Log, now: () => number = () => performance.now()): Log {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  const write = (level: 'warn' | 'error') => (facts: object, message: string) => {
    const { err, requestId } = facts as { readonly err?: unknown; readonly requestId?: string };
    // The line of a request that has failed is looked for by its id.
    if (requestId !== undefined || !isDatabaseOutage(err)) {
      log[level](facts, message);
      return;
    }
    log.debug?.(facts, message);
    failures++;
    if (now() - loggedAt < EVERY_MS) return;
    log.warn({ failures, last: message, reason: reasonOf(err) }, 'work fails because the database cannot be used');
    loggedAt = now();
    failures = 0;
  };
  return {
    debug: (facts, message) => log.debug?.(facts, message),
    info: (facts, message) => log.info(facts, message),
    warn: write('warn'),
    error: write('error'),
  };
}

/** The message of the innermost cause. */
export function reasonOf(failure: unknown): string {
  let one = failure;
  while (one instanceof Error && one.cause !== undefined) one = one.cause;
  return one instanceof Error ? one.message : String(one);
}
