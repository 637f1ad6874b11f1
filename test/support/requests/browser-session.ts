// The session of a browser: keeps its cookie and sends it.
import type { Ask, Reply, TestServer } from '../server/server.ts';

export class Browser {
  cookie = '';
  csrfToken = '';
  /** The cookie as the server has set it. */
  setCookie = '';
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** The value of the cookie. */
  get token(): string {
    return this.cookie.slice(this.cookie.indexOf('=') + 1);
  }

  copy(): Browser {
    return Object.assign(new Browser(this.#server), { cookie: this.cookie, csrfToken: this.csrfToken });
  }

  async logIn(login_name: string, password: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const reply = await this.ask('POST', '/api/session', { body: { login_name, password }, headers });
    if (reply.status !== 200) throw new Error(reply.text);
    this.setCookie = reply.headers.get('set-cookie') ?? '';
    this.cookie = this.setCookie.split(';')[0]!;
    this.csrfToken = reply.json.csrf_token;
    return reply;
  }

  ask(method: string, path: string, { headers = {}, ...ask }: Ask = {}): Promise<Reply> {
    return this.#server.ask(method, path, { as: '', ...ask, headers: { ...(this.cookie !== '' && { Cookie: this.cookie }), ...headers } });
  }

  get = (path: string, ask?: Ask) => this.ask('GET', path, ask);
}
