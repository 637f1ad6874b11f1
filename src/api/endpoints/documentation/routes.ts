// The documentation of the API, for programs and for people.
import { sha256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import type { Kind } from '../../../shape/resource.ts';
import { MAX_SEARCH_LENGTH, SECURITY_POLICY } from '../../docs-page/layout.ts';
import { type DocsSite, docsSite } from '../../docs-page/site.ts';
import { type Answer, jsonAnswer, OPEN, type Route } from '../../engine/route.ts';
import { htmlAnswer } from '../../http/html-answer.ts';
import { chaptersOf } from '../../openapi/chapters.ts';
import { type OpenApi, openApiOf } from '../../openapi/document.ts';

const CHAPTER = 'documentation';
/** The documentation holds no secrets. */
const FOR_ALL = { permission: 'user', scope: OPEN } as const;
const HTML = { response: TEXT, type: 'text/html', hasEtag: true } as const;
const unknownChapter = (name: string): string => `The documentation has no chapter '${name.slice(0, MAX_SEARCH_LENGTH)}'.`;

/** The routes that describe all routes, themselves included. */
export function withDocumentation(routes: readonly Route[], kinds: readonly Kind[], version: string, contextPath: string): Route[] {
  const chapters = chaptersOf(kinds);
  let openApi: Promise<Answer> | undefined;
  let site: DocsSite | undefined;
  const pages = (): DocsSite => (site ??= docsSite(all, chapters, version, contextPath));
  const all: Route[] = [
    ...routes,
    {
      method: 'GET',
      path: '/api/openapi.json',
      version: null,
      ...FOR_ALL,
      description: { chapter: CHAPTER, summary: 'The OpenAPI description', response: OPENAPI_SCHEMA, hasEtag: true },
      handle: () => (openApi ??= openApiOf(all, chapters, version, contextPath).then(openApiAnswer)),
    },
    {
      method: 'GET',
      path: '/api/docs',
      version: null,
      ...FOR_ALL,
      description: {
        ...HTML,
        chapter: CHAPTER,
        summary: 'The first page of this documentation, or what a search finds in it',
        query: { q: { ...TEXT, maxLength: MAX_SEARCH_LENGTH, description: 'Words to search for.' } },
      },
      handle: ({ query }) => {
        const searched = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
        return page(searched === '' ? pages().start() : pages().search(searched));
      },
    },
    {
      method: 'GET',
      path: '/api/docs/:chapter',
      version: null,
      ...FOR_ALL,
      description: {
        ...HTML,
        chapter: CHAPTER,
        summary: 'One chapter of this documentation',
        parameters: { chapter: { description: 'The name of the chapter, as links have it.', example: CHAPTER } },
        failures: { 404: { when: 'There is no such chapter.', example: { message: unknownChapter('unknown') } } },
      },
      handle: ({ params: { chapter = '' } }) => {
        const text = pages().chapter(chapter);
        if (text === undefined) throw new Refusal('notFound', unknownChapter(chapter));
        return page(text);
      },
    },
    {
      method: 'GET',
      path: '/',
      version: null,
      ...FOR_ALL,
      description: {
        chapter: CHAPTER,
        summary: 'Leads to the documentation',
        status: 302,
        answerHeaders: { Location: { ...TEXT, format: 'uri' } },
      },
      handle: ({ base }) => ({ status: 302, text: '', bytes: 0, headers: ['Location', `${base}/api/docs`] }),
    },
  ];
  return all;
}

const OPENAPI_SCHEMA = { type: 'object', required: ['openapi', 'info', 'paths'], additionalProperties: true };

function openApiAnswer(description: OpenApi): Answer {
  return tagged(jsonAnswer(description, { type: 'application/json; charset=utf-8' }));
}

function page(text: string): Answer {
  return tagged(htmlAnswer(text, SECURITY_POLICY));
}

function tagged(answer: Answer): Answer {
  return { ...answer, etag: sha256(answer.text!) };
}
