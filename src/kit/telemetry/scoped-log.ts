// A log whose lines name the request and the trace that they belong to.
import type { Log } from '../log.ts';
import { currentScope } from './scope.ts';

export function scopedLog(log: Log): Log {
  return {
    debug: (facts, message) => log.debug?.(withIds(facts), message),
    info: (facts, message) => log.info(withIds(facts), message),
    warn: (facts, message) => log.warn(withIds(facts), message),
    error: (facts, message) => log.error(withIds(facts), message),
  };
}

function withIds(facts: object): object {
  const scope = currentScope();
  if (!scope) return facts;
  const { requestId, span } = scope;
  return { ...(requestId !== undefined && { requestId }), ...(span && { traceId: span.traceId }), ...facts };
}
