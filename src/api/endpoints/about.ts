// What the server says of itself: alive, its version, its health.

import type { HealthMessages } from '../../health/messages.ts';
import { sha256 } from '../../kit/hash.ts';
import { jsonAnswer, type Route } from '../route.ts';
import { docLink, links } from './links.ts';

export interface AboutParts {
  readonly version: { readonly release: string; readonly gitSha: string };
  readonly dialect: string;
  readonly health: HealthMessages;
}

const ALIVE = jsonAnswer({ health: 'OK' }, { type: 'application/json; charset=utf-8' });

export function aboutRoutes({ version, dialect, health }: AboutParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/health',
      version: null,
      permission: 'anyone',
      description: {
        chapter: 'health',
        summary: 'Whether the server is alive',
        response: { type: 'object', properties: { health: { const: 'OK' } } },
      },
      handle: () => ALIVE,
    },
    {
      method: 'GET',
      path: '/api/version',
      version: 1,
      permission: 'user',
      description: { chapter: 'version', summary: 'The version of the server', response: VERSION_SCHEMA, hasEtag: true },
      handle: ({ base }) => {
        const build = `${version.release}-${version.gitSha}`;
        const body = {
          _links: links(base, { self: '/api/version', doc: docLink('version') }),
          version: dialect,
          build_number: version.release,
          git_sha: version.gitSha,
          full_version: `${dialect} (${build})`,
          commit_url: '',
        };
        return jsonAnswer(body, { etag: sha256(build) });
      },
    },
    {
      method: 'GET',
      path: '/api/server_health_messages',
      version: 1,
      permission: 'user',
      description: {
        chapter: 'server-health-messages',
        summary: 'What needs attention',
        response: { type: 'array', items: MESSAGE_SCHEMA },
        hasEtag: true,
      },
      handle: () => {
        const answer = jsonAnswer(
          health.all().map(({ message, detail, level, time }) => ({ message: escaped(message), detail: escaped(detail), level, time })),
        );
        return { ...answer, etag: sha256(answer.text!) };
      },
    },
  ];
}

const TEXT = { type: 'string' };
const VERSION_SCHEMA = {
  type: 'object',
  properties: { version: TEXT, build_number: TEXT, git_sha: TEXT, full_version: TEXT, commit_url: TEXT },
};
const MESSAGE_SCHEMA = { type: 'object', properties: { message: TEXT, detail: TEXT, level: { enum: ['WARNING', 'ERROR'] }, time: TEXT } };

/** Clients show these texts as HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
