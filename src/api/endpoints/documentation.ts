// The documentation of the API, for programs and for people.
import { sha256 } from '../../kit/hash.ts';
import type { Kind } from '../../shape/resource.ts';
import { TEXT } from '../../shape/schemas.ts';
import { chaptersOf } from '../chapters.ts';
import { docsPage } from '../docs-page/page.ts';
import { openApiOf } from '../openapi.ts';
import { type Answer, jsonAnswer, type Route } from '../route.ts';

/** The routes that describe all routes, themselves included. */
export function withDocumentation(routes: readonly Route[], kinds: readonly Kind[], version: string, contextPath: string): Route[] {
  let openApi: Answer | undefined;
  let page: Answer | undefined;
  const chapter = 'documentation';
  const all: Route[] = [
    ...routes,
    {
      method: 'GET',
      path: '/api/openapi.json',
      version: null,
      permission: 'user',
      description: { chapter, summary: 'The OpenAPI description', response: OPENAPI_SCHEMA, hasEtag: true },
      handle: () =>
        (openApi ??= tagged(jsonAnswer(openApiOf(all, chapters, version, contextPath), { type: 'application/json; charset=utf-8' }))),
    },
    {
      method: 'GET',
      path: '/api/docs',
      version: null,
      permission: 'user',
      description: { chapter, summary: 'This page', response: TEXT, type: 'text/html', hasEtag: true },
      handle: () => (page ??= tagged(htmlAnswer(docsPage(all, chapters, version, contextPath)))),
    },
    {
      method: 'GET',
      path: '/',
      version: null,
      permission: 'user',
      description: { chapter, summary: 'Leads to the documentation', status: 302, answerHeaders: { Location: { ...TEXT, format: 'uri' } } },
      handle: ({ base }) => ({ status: 302, text: '', bytes: 0, headers: ['Location', `${base}/api/docs`] }),
    },
  ];
  const chapters = chaptersOf(kinds);
  return all;
}

const OPENAPI_SCHEMA = { type: 'object', required: ['openapi', 'info', 'paths'], additionalProperties: true };

function htmlAnswer(text: string): Answer {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return {
    status: 200,
    text,
    bytes: Buffer.byteLength(text),
    type: 'text/html; charset=utf-8',
    headers: ['Content-Security-Policy', policy],
  };
}

function tagged(answer: Answer): Answer {
  return { ...answer, etag: sha256(answer.text!) };
}
