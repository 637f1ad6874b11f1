// A real OpenID Connect provider for tests, with people who belong to groups, on a port of its own.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

export const CLIENT_ID = 'slipway';
export const CLIENT_SECRET = 'the secret of the client';

export interface ProviderOptions {
  /** The people by login name. */
  readonly people: Readonly<Record<string, Person>>;
  /** The address at which the client runs. */
  readonly clientUrl: string;
  readonly authConfigId: string;
}

export class OpenIdProvider {
  readonly issuer: string;
  /** May be changed: a change counts from the next login on. */
  readonly people: Record<string, Person>;
  /** Failures of requests on its back channel. */
  readonly failures: Error[] = [];
  readonly #server: Server;

  private constructor(server: Server, issuer: string, people: Record<string, Person>) {
    this.#server = server;
    this.issuer = issuer;
    this.people = people;
  }

  static async start({ people, clientUrl, authConfigId }: ProviderOptions): Promise<OpenIdProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const started = new OpenIdProvider(server, issuer, { ...people });
    const provider = new Provider(issuer, started.#configuration(clientUrl, authConfigId));
    provider.on('backchannel.error', (_, failure) => started.failures.push(failure));
    server.on('request', (request, response) => void provider.callback()(request, response));
    return started;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Any password is right on its login page. */
  #configuration(clientUrl: string, authConfigId: string): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${clientUrl}/auth/callback/${authConfigId}`],
          post_logout_redirect_uris: [`${clientUrl}/auth/login`],
          backchannel_logout_uri: `${clientUrl}/auth/backchannel_logout/${authConfigId}`,
          backchannel_logout_session_required: true,
        },
      ],
      // Of itself it sends nothing to clients on the same machine.
      fetch: (url, { dispatcher: _, ...request } = {}) => fetch(url, request),
      cookies: { keys: ['of the provider'] },
      pkce: { required: () => true },
      scopes: ['openid', 'profile', 'email', 'groups'],
      claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'], groups: ['groups'] },
      features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
      findAccount: (_, id) => {
        const person = this.people[id];
        return (
          person && {
            accountId: id,
            claims: async () => ({ sub: id, preferred_username: id, email_verified: true, ...person, groups: [...person.groups] }),
          }
        );
      },
      // Users are not asked for their consent.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
        grant.addOIDCScope('openid profile email groups');
        await grant.save();
        return grant;
      },
    };
  }
}
