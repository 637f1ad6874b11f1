// The OpenAPI description of all routes.

import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Route } from '../engine/route.ts';
import { type Chapter, chapterOf } from './chapters.ts';
import { Components, ERROR_SCHEMA } from './components.ts';
import { operationOf, pathOf } from './operation.ts';

export type OpenApi = Readonly<Record<string, unknown>>;

const ABOUT = [
  'Administration of a continuous-delivery server.',
  'Bodies are JSON, sent as `application/json` or as the media type of the answer, unless an operation says otherwise. HEAD is answered wherever GET is.',
  'Without an Accept header, or with `application/vnd.svc+json`, the newest version answers.',
].join('\n\n');

/** Made in time slices: it takes a few hundred milliseconds. */
export async function openApiOf(
  routes: readonly Route[],
  chapters: readonly Chapter[],
  version: string,
  contextPath: string,
): Promise<OpenApi> {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = Object.fromEntries(routes.map((route) => [pathOf(route), {}]));
  // Of several versions the newest is described.
  for (const route of routes
    .filter(({ media }) => media === undefined)
    .toSorted((one, other) => (one.version ?? 0) - (other.version ?? 0))) {
    const operation = operationOf(route, chapterOf(route, chapters));
    const responses = components.shareFailures(operation.responses, route.version);
    paths[pathOf(route)]![route.method.toLowerCase()] = components.shareSchemas({ ...operation, responses });
    await pause();
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Slipway', version, description: ABOUT },
    servers: [{ url: contextPath || '/' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: chapters.map(({ title, about }) => ({ name: title, description: about })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, ...components.schemas },
      responses: components.responses,
      securitySchemes: { basic: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
