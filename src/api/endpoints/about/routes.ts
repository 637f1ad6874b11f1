// The facts of the server itself: alive, its version, its health.
import type { HealthMessage, HealthMessages } from '../../../health/messages.ts';
import type { Readiness } from '../../../health/readiness.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, LINKS, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';

export interface AboutParts {
  readonly version: { readonly release: string; readonly gitSha: string };
  readonly dialect: string;
  readonly health: HealthMessages;
  readonly readiness: Pick<Readiness, 'phase'>;
}

const HEALTHY = { health: 'OK' };
const TYPE = 'application/json; charset=utf-8';
const ALIVE = jsonAnswer(HEALTHY, { type: TYPE });
const STARTING = jsonAnswer({ health: 'STARTING' }, { status: 503, type: TYPE, headers: ['Retry-After', '1'] });

export function aboutRoutes({ version, dialect, health, readiness }: AboutParts): Route[] {
  const build = `${version.release}-${version.gitSha}`;
  const versionJson = (base: string): JsonOut => ({
    _links: links(base, { self: '/api/version', doc: docLink('version') }),
    version: dialect,
    build_number: version.release,
    git_sha: version.gitSha,
    full_version: `${dialect} (${build})`,
    commit_url: '',
  });
  return [
    {
      method: 'GET',
      path: '/api/v1/health',
      version: null,
      permission: 'anyone',
      description: {
        chapter: 'health',
        summary: 'Whether the server is alive',
        response: objectSchema({ health: { const: 'OK' } }),
        example: HEALTHY,
        failures: { 503: { when: 'The server is starting: `{"health": "STARTING"}`.' } },
      },
      // Some deployments use it as readiness, so it does not say OK before everything is served.
      handle: () => (readiness.phase === 'starting' ? STARTING : ALIVE),
    },
    {
      method: 'GET',
      path: '/api/version',
      version: 1,
      permission: 'user',
      description: {
        chapter: 'version',
        summary: 'The version of the server',
        response: VERSION_SCHEMA,
        example: versionJson(EXAMPLE_BASE),
        hasEtag: true,
      },
      handle: ({ base }) => jsonAnswer(versionJson(base)),
    },
    {
      method: 'GET',
      path: '/api/server_health_messages',
      version: 1,
      permission: 'user',
      isOfKeeper: true,
      description: {
        chapter: 'server-health-messages',
        summary: 'What needs attention',
        response: { type: 'array', items: MESSAGE_SCHEMA },
        example: [messageJson(EXAMPLE_MESSAGE)],
        hasEtag: true,
      },
      handle: () => jsonAnswer(health.all().map(messageJson)),
    },
  ];
}

const VERSION_SCHEMA = objectSchema(
  {
    _links: LINKS,
    version: described(TEXT, 'The version of the API, by which clients choose.'),
    build_number: described(TEXT, 'The version of Slipway.'),
    git_sha: described(TEXT, 'The commit it runs from.'),
    full_version: described(TEXT, 'All of them, as people quote it.'),
    commit_url: described(TEXT, 'Where the commit can be seen.'),
  },
  { title: 'Version' },
);
const MESSAGE_SCHEMA = objectSchema(
  {
    message: described(TEXT, 'What is wrong.'),
    detail: described(TEXT, 'More about it.'),
    level: { enum: ['WARNING', 'ERROR'], description: 'How bad it is.' },
    time: described(TIME, 'Since when.'),
  },
  { title: 'Server health message' },
);
const EXAMPLE_MESSAGE: HealthMessage = {
  message: "Plugin 'github.pr' is not installed",
  detail: "SCM 'tools' is stored, but has no effect until the plugin is installed.",
  level: 'WARNING',
  time: EXAMPLE_TIME,
};

function messageJson({ message, detail, level, time }: HealthMessage): JsonOut {
  return { message: escaped(message), detail: escaped(detail), level, time };
}

/** Clients show these texts as HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
