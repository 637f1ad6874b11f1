// Stands in for GitHub Enterprise and GitLab: the documented endpoints that a login uses, with the answers they document.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startWebServer, type WebServer } from './web-server.ts';

export interface HostedUser {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Organizations of GitHub, with the names of teams. */
  readonly organizations?: Readonly<Record<string, readonly string[]>>;
  /** Groups of GitLab: paths with access levels. */
  readonly groups?: Readonly<Record<string, number>>;
  readonly projects?: Readonly<Record<string, number>>;
  readonly isBlocked?: boolean;
}

export const OAUTH_ID = 'oauth-app';
export const OAUTH_SECRET = 'secret of the oauth app';
export const ADMIN_TOKEN = 'token of an administrator';

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly location?: string;
}

const json = (body: unknown, status = 200): Reply => ({ status, body });
const NOT_FOUND = json({ message: 'Not Found' }, 404);

export class HostingService {
  readonly users: Record<string, HostedUser>;
  /** The login name of the user who presses the button on its page. Undefined: no user is logged in there, and access is denied. */
  visitor: string | undefined;
  isDown = false;
  readonly #codes = new Map<string, { readonly login: string; readonly challenge: string; readonly redirectUri: string }>();
  readonly #tokens = new Map<string, string>();
  #web!: WebServer;

  private constructor(users: Readonly<Record<string, HostedUser>>) {
    this.users = { ...users };
  }

  static async start(users: Readonly<Record<string, HostedUser>>): Promise<HostingService> {
    const service = new HostingService(users);
    service.#web = await startWebServer((request, response) => service.#answer(request, response));
    return service;
  }

  get url(): string {
    return this.#web.url;
  }

  get requests(): readonly string[] {
    return this.#web.requests;
  }

  stop(): Promise<void> {
    return this.#web.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, location } = this.isDown ? { status: 502 } : await this.#reply(request);
    response.writeHead(status, { ...(location && { location }), ...(body !== undefined && { 'content-type': 'application/json' }) });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  async #reply(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', this.url);
    if (/^\/(?:login\/oauth|oauth)\/authorize$/.test(url.pathname)) return this.#authorize(url);
    if (url.pathname === '/login/oauth/access_token') return json(this.#trade(await formOf(request))); // GitHub reports errors with 200
    if (url.pathname === '/oauth/token') {
      const traded = this.#trade(await formOf(request));
      return json(traded, 'error' in traded ? 400 : 200);
    }
    if (url.pathname.startsWith('/api/v3/')) return this.#github(url, tokenIn(request));
    if (url.pathname.startsWith('/api/v4/')) return this.#gitlab(url, tokenIn(request));
    return NOT_FOUND;
  }

  #authorize({ searchParams: asked }: URL): Reply {
    const redirectUri = asked.get('redirect_uri')!;
    const to = new URL(redirectUri);
    to.searchParams.set('state', asked.get('state')!);
    if (this.visitor === undefined) to.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      this.#codes.set(code, { login: this.visitor, challenge: asked.get('code_challenge')!, redirectUri });
      to.searchParams.set('code', code);
    }
    return { status: 302, location: to.href };
  }

  #trade(form: URLSearchParams): Readonly<Record<string, string>> {
    const given = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const isClient = form.get('client_id') === OAUTH_ID && form.get('client_secret') === OAUTH_SECRET;
    if (!isClient) return { error: 'incorrect_client_credentials' };
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (given?.challenge !== challenge || given.redirectUri !== form.get('redirect_uri')) return { error: 'bad_verification_code' };
    const token = randomUUID();
    this.#tokens.set(token, given.login);
    return { access_token: token, token_type: 'bearer', scope: 'read:org,user:email' };
  }

  #github(url: URL, token: string): Reply {
    const path = url.pathname.slice('/api/v3'.length);
    const login = this.#tokens.get(token);
    const isAdmin = token === ADMIN_TOKEN;
    if (path === '/meta') return json({ verifiable_password_authentication: false });
    if (login === undefined && !isAdmin) return json({ message: 'Bad credentials' }, 401);
    const [, organization, member] = /^\/orgs\/([^/]+)\/members\/([^/]+)$/.exec(path) ?? [];
    if (organization !== undefined) {
      const isMember = Object.keys(this.users[member!]?.organizations ?? {}).some((name) => name.toLowerCase() === organization);
      return { status: isMember ? 204 : 404 };
    }
    if (path === '/search/users') {
      const found = Object.keys(this.users).filter((name) => name.includes(url.searchParams.get('q')!));
      return json({ total_count: found.length, items: found.map((name) => ({ login: name })) });
    }
    if (isAdmin) return path === '/user' ? json({ id: 1, login: 'robot' }) : NOT_FOUND;
    const user = this.users[login!]!;
    const organizations = user.organizations ?? {};
    if (path === '/user') return json({ id: user.id, login, name: user.name, email: null });
    if (path === '/user/emails') return json([{ email: user.email, primary: true, verified: true }]);
    if (path === '/user/orgs')
      return json(
        pageOf(
          Object.keys(organizations).map((name) => ({ login: name })),
          url,
        ),
      );
    if (path === '/user/teams') {
      const teams = Object.entries(organizations).flatMap(([name, names]) =>
        names.map((team) => ({ name: team, slug: team.toLowerCase().replaceAll(' ', '-'), organization: { login: name } })),
      );
      return json(pageOf(teams, url));
    }
    return NOT_FOUND;
  }

  #gitlab(url: URL, token: string): Reply {
    const path = decodeURIComponent(url.pathname.slice('/api/v4'.length));
    const minLevel = Number(url.searchParams.get('min_access_level') ?? 0);
    const isAdmin = token === ADMIN_TOKEN;
    const login = this.#tokens.get(token);
    if (path === '/projects' && token === '') return json([]);
    if (login === undefined && !isAdmin) return json({ message: '401 Unauthorized' }, 401);
    const shown = ([name, user]: [string, HostedUser]) => ({
      id: user.id,
      username: name,
      name: user.name,
      state: user.isBlocked ? 'blocked' : 'active',
    });
    if (path === '/users') {
      const [exact, part] = [url.searchParams.get('username'), url.searchParams.get('search')];
      return json(
        Object.entries(this.users)
          .filter(([name]) => (exact === null ? name.includes(part ?? '') : name === exact))
          .map(shown),
      );
    }
    const [, group] = /^\/groups\/(.+)\/members\/all$/.exec(path) ?? [];
    if (group !== undefined) {
      const ids = url.searchParams.get('user_ids');
      return json(
        Object.entries(this.users)
          .filter(([, user]) => user.groups?.[group] !== undefined && String(user.id) === ids)
          .map(shown),
      );
    }
    if (isAdmin) return path === '/user' ? json({ id: 1, username: 'robot' }) : NOT_FOUND;
    const user = this.users[login!]!;
    const atLeast = (levels: Readonly<Record<string, number>> = {}) => Object.keys(levels).filter((name) => levels[name]! >= minLevel);
    if (path === '/user') return json({ ...shown([login!, user]), email: user.email });
    if (path === '/groups')
      return json(
        pageOf(
          atLeast(user.groups).map((name) => ({ name: 'any name', full_path: name })),
          url,
        ),
      );
    if (path === '/projects')
      return json(
        pageOf(
          atLeast(user.projects).map((name) => ({ path_with_namespace: name })),
          url,
        ),
      );
    return NOT_FOUND;
  }
}

function pageOf<T>(all: readonly T[], { searchParams }: URL): readonly T[] {
  const size = Number(searchParams.get('per_page') ?? 20);
  const start = (Number(searchParams.get('page') ?? 1) - 1) * size;
  return all.slice(start, start + size);
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(request));
}

function tokenIn({ headers }: IncomingMessage): string {
  return String(headers['private-token'] ?? headers.authorization?.replace(/^bearer /i, '') ?? '');
}
