// Whether load balancers shall send requests here.
import type { Readiness } from '../../../health/readiness.ts';
import { objectSchema } from '../../../shape/json/schemas.ts';
import { type Answer, jsonAnswer, type Route } from '../../engine/route.ts';

const TYPE = 'application/json; charset=utf-8';
const READY_BODY = { ready: true };
const READY = jsonAnswer(READY_BODY, { type: TYPE });

export function readinessRoute(readiness: Readiness): Route {
  return {
    method: 'GET',
    path: '/api/v1/ready',
    version: null,
    permission: 'anyone',
    description: {
      chapter: 'health',
      summary: 'Whether the server is ready for requests',
      details: 'For load balancers. A server that is alive is not ready while it starts or stops, nor in maintenance mode.',
      response: objectSchema({ ready: { const: true } }),
      example: READY_BODY,
      failures: { 503: { when: 'Not ready: `{"ready": false, "reason": "…"}`.' } },
    },
    handle: () => readinessAnswer(readiness),
  };
}

function readinessAnswer({ obstacle }: Readiness): Answer {
  if (!obstacle) return READY;
  const { reason, retryAfter } = obstacle;
  return jsonAnswer({ ready: false, reason }, { status: 503, type: TYPE, headers: ['Retry-After', String(retryAfter)] });
}
