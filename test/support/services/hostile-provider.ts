// A provider that answers as a test wants it to: for tokens that no honest provider makes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** The code that it gives out stands for these claims, as far as a test does not change them. */
export interface Grant {
  readonly nonce: string;
  readonly challenge: string;
}

export class HostileProvider {
  readonly issuer: string;
  readonly #server: Server;
  #keys: Keys;
  #kid = 1;
  /** Makes the ID token of a login. */
  idToken: (claims: JWTPayload) => Promise<string>;
  metadata: Readonly<Record<string, unknown>> = {};
  /** Answers a request instead of the provider. */
  answer: (path: string, response: ServerResponse) => boolean = () => false;
  readonly requests: string[] = [];
  /** The grants by code. */
  readonly grants = new Map<string, Grant>();

  private constructor(server: Server, issuer: string, keys: Keys) {
    this.#server = server;
    this.issuer = issuer;
    this.#keys = keys;
    this.idToken = (claims) => this.sign(claims);
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<HostileProvider> {
    const keys = await generateKeyPair('RS256', { extractable: true });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HostileProvider(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Makes the provider as it was at the beginning, with the same keys. */
  reset(): void {
    this.idToken = (claims) => this.sign(claims);
    this.metadata = {};
    this.answer = () => false;
  }

  async rotateKeys(): Promise<void> {
    this.#keys = await generateKeyPair('RS256', { extractable: true });
    this.#kid++;
  }

  sign(claims: JWTPayload, keys: Keys = this.#keys, typ = 'JWT'): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: String(this.#kid), typ }).sign(keys.privateKey);
  }

  publicKey(): Promise<JWK> {
    return exportJWK(this.#keys.publicKey);
  }

  /** The answer of its login page, at once: the code, for the address that the browser came with. */
  approve(login: URL): URL {
    const { searchParams: asked } = login;
    const code = `code-${this.grants.size + 1}`;
    this.grants.set(code, { nonce: asked.get('nonce')!, challenge: asked.get('code_challenge')! });
    const callback = new URL(asked.get('redirect_uri')!);
    callback.search = new URLSearchParams({ code, state: asked.get('state')!, iss: this.issuer }).toString();
    return callback;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    this.requests.push(`${request.method} ${path}`);
    if (this.answer(path, response)) return;
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (path === '/.well-known/openid-configuration') return json(this.#discovery());
    if (path === '/keys') return json({ keys: [{ ...(await this.publicKey()), kid: String(this.#kid), use: 'sig', alg: 'RS256' }] });
    if (path === '/token') return this.#token(new URLSearchParams(await text(request)), json);
    if (path === '/userinfo') return json({ sub: 'eve', preferred_username: 'eve' });
    response.writeHead(404).end();
  }

  #discovery() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...this.metadata,
    };
  }

  async #token(form: URLSearchParams, json: (body: unknown, status?: number) => void): Promise<void> {
    const code = form.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(form.get('code_verifier') ?? ''));
    if (grant?.challenge !== Buffer.from(digest).toString('base64url')) return json({ error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      sub: 'eve',
      aud: 'slipway',
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      preferred_username: 'eve',
      name: 'Eve',
      email: 'eve@example.org',
      groups: [],
    };
    json({ access_token: 'of-eve', token_type: 'Bearer', expires_in: 300, id_token: await this.idToken(claims) });
  }
}
