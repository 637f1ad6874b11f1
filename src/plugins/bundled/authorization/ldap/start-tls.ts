// Encrypts a connection to `ldap:` before anything else is said on it (RFC 4511, section 4.14).
//
// The client for LDAP could do it, too, but keeps bytes that arrive in clear after the answer and reads them as the beginning of the
// encrypted stream: a man in the middle could answer a bind in the place of the server. It would also connect anew, in clear, when a
// connection breaks, and send passwords there.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { bounded } from './answer-limits.ts';
import { elementAt, SEQUENCE } from './ber.ts';
import { connectGuarded, hostOf, type LdapConnection, portOf, type Security, tlsOptionsOf } from './connection.ts';

const OID = '1.3.6.1.4.1.1466.20037';
/** Message 1: an extended request with the object identifier of StartTLS. */
const REQUEST = Buffer.from([0x30, 7 + OID.length, 0x02, 1, 1, 0x77, 2 + OID.length, 0x80, OID.length, ...Buffer.from(OID)]);
const MAX_ANSWER_LENGTH = 4096;
const [INTEGER, ENUMERATED, EXTENDED_RESPONSE] = [0x02, 0x0a, 0x78] as const;
const NOT_UNDERSTOOD = 'its answer to StartTLS cannot be read.';

export async function startTls(url: URL, security: Security, timeoutMs: number): Promise<LdapConnection> {
  const name = hostOf(url);
  const plain = connectGuarded(portOf(url), name);
  const late = setTimeout(() => plain.destroy(new Error('it does not answer StartTLS in time.')), timeoutMs);
  try {
    await once(plain, 'connect');
    plain.write(REQUEST);
    const code = await answerOn(plain);
    if (code !== 0) throw new Error(`it refused StartTLS with result code ${code}.`);
    const secure = connect({ ...tlsOptionsOf(url, security), socket: plain, host: name });
    plain.once('error', (failure) => secure.destroy(failure));
    await once(secure, 'secureConnect');
    return onlyOnce(secure);
  } catch (failure) {
    plain.destroy();
    throw failure;
  } finally {
    clearTimeout(late);
  }
}

/** A second connection would have to be encrypted anew: there is none. */
function onlyOnce(secure: TLSSocket): LdapConnection {
  let isGiven = false;
  const give = (): TLSSocket => {
    if (isGiven) throw new Error('the connection broke.');
    isGiven = true;
    return bounded(secure);
  };
  return { createSecureConnection: give, tlsOptions: { rejectUnauthorized: true } };
}

/** The result code of the only message that has arrived; anything after it is refused. */
async function answerOn(socket: Socket): Promise<number> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received = Buffer.concat([received, chunk as Buffer]);
    const code = startTlsResult(received);
    if (code !== undefined) return code;
    if (received.length > MAX_ANSWER_LENGTH) throw new Error(NOT_UNDERSTOOD);
  }
  throw new Error('it closed the connection.');
}

/** Undefined: it is not complete yet. */
export function startTlsResult(message: Buffer): number | undefined {
  const whole = elementAt(message, 0);
  if (!whole || message.length < whole.end) return undefined;
  const id = elementAt(message, whole.start);
  const response = id && elementAt(message, id.end);
  const code = response && elementAt(message, response.start);
  const isOurs =
    whole.tag === SEQUENCE &&
    message.length === whole.end &&
    id?.tag === INTEGER &&
    message[id.start] === 1 &&
    id.end === id.start + 1 &&
    response?.tag === EXTENDED_RESPONSE &&
    response.end <= whole.end &&
    code?.tag === ENUMERATED &&
    code.end === code.start + 1 &&
    code.end <= response.end;
  if (!isOurs) throw new Error(NOT_UNDERSTOOD);
  return message[code.start]!;
}
