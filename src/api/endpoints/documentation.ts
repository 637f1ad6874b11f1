// The documentation of the API, for programs and for people.
import { sha256 } from '../../kit/hash.ts';
import type { Kind } from '../../shape/resource.ts';
import { TEXT } from '../../shape/schemas.ts';
import { chaptersOf } from '../chapters.ts';
import { docsPage } from '../docs-page/page.ts';
import { htmlAnswer } from '../html-answer.ts';
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
      handle: () => (page ??= tagged(htmlAnswer(docsPage(all, chapters, version, contextPath), { styles: true }))),
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

function tagged(answer: Answer): Answer {
  return { ...answer, etag: sha256(answer.text!) };
}
