// A log whose lines name the request and the trace that they belong to. The last ones are kept.
import type { Log } from '../log.ts';
import type { RecentLines } from './recent-lines.ts';
import { currentScope } from './scope.ts';

export function scopedLog(log: Log, recent: RecentLines): Log {
  const write = (level: 'info' | 'warn' | 'error') => (facts: object, message: string) => {
    const whole = withIds(facts);
    recent.add(level, whole, message);
    log[level](whole, message);
  };
  return {
    debug: (facts, message) => log.debug?.(withIds(facts), message),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}

function withIds(facts: object): object {
  const scope = currentScope();
  if (!scope) return facts;
  const { requestId, span } = scope;
  return { ...(requestId !== undefined && { requestId }), ...(span && { traceId: span.traceId }), ...facts };
}
