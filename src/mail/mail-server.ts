// The mail server as the configuration names it, with its password in clear: only for connections to it.
import type { Cipher } from '../kit/bytes/cipher.ts';
import type { EntityNamed } from '../shape/configuration.ts';

export interface MailServer {
  readonly hostname: string;
  readonly port: number;
  /** Only when there are both a name and a password. */
  readonly login: { readonly username: string; readonly password: string } | undefined;
  /** TLS from the first byte. */
  readonly tls: boolean;
  readonly senderEmail: string;
  readonly adminEmail: string;
}

export function mailServerOf(entity: EntityNamed<'mailServer'>, cipher: Cipher): MailServer {
  const { hostname, port, username, password: secret, tls, senderEmail, adminEmail } = entity;
  const password = secret ? (cipher.decrypt(secret.cipherText) ?? '') : '';
  const login = username?.trim() && password.trim() ? { username, password } : undefined;
  return { hostname: hostname.trim(), port, login, tls, senderEmail: senderEmail.trim(), adminEmail: adminEmail.trim() };
}

/** Asked at every look into the outbox: works it out again only when the configuration has changed. */
export function currentMailServer(find: () => EntityNamed<'mailServer'> | undefined, cipher: Cipher): () => MailServer | undefined {
  let lastEntity: EntityNamed<'mailServer'> | undefined;
  let server: MailServer | undefined;
  return () => {
    const entity = find();
    if (entity !== lastEntity) {
      lastEntity = entity;
      server = entity && mailServerOf(entity, cipher);
    }
    return server;
  };
}
