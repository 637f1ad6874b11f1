// Connects to a mail server, wherever that may be: only system administrators name it, so it may be on this machine.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { guardedConnection } from '../kit/network/guarded-lookup.ts';
import { TRUSTED } from '../kit/network/reach.ts';
import type { MailServer } from './mail-server.ts';

/** Gives up when the signal is aborted, or when the mail server does not answer in time. */
export async function connectToMailServer(
  { hostname, port }: Pick<MailServer, 'hostname' | 'port'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const late = AbortSignal.timeout(timeoutMs);
  const socket = connect({ host: hostname, port, ...guardedConnection(hostname, TRUSTED) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, late]) });
    return socket;
  } catch (failure) {
    socket.destroy();
    throw late.aborted ? new Error('Connection timeout') : failure;
  }
}
