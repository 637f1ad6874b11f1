// Sends mail through an SMTP server, over connections that stay open for a while.
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { getCACertificates } from 'node:tls';
import type { Transporter } from 'nodemailer';
import { connectToMailServer } from './connect.ts';
import { type Handover, HeldMessage } from './held-message.ts';
import type { StampedMail } from './mail.ts';
import type { MailServer } from './mail-server.ts';
import { type Progress, SendFailure, type SmtpError } from './send-failure.ts';

/** Whether to use STARTTLS with a server that is not spoken to in TLS from the first byte. */
export type StartTls = 'offered' | 'always' | 'never';

export interface SmtpOptions {
  readonly startTls: StartTls;
  /** Certificate authorities (PEM) to trust besides those that Node trusts. */
  readonly caFile: string | undefined;
  /** For connecting, for each answer and, several times, for a whole mail. */
  readonly timeoutMs?: number;
}

export interface Smtp {
  /** Returns when the mail server has taken the mail, and throws a SendFailure when it has not. Nothing of the mail goes out before `beforeAll` has ended. */
  send(mail: StampedMail, beforeAll?: () => Promise<void>): Promise<void>;
  /** Ends connections as soon as they have nothing to do. */
  close(): void;
  /** Ends all connections at once. */
  abort(): void;
}

export type ConnectSmtp = (server: MailServer) => Smtp;

export const MAX_CONNECTIONS = 3;
const TIMEOUT_MS = 60_000;
/** A text with several addresses would go to all of them. */
const ONE_ADDRESS = /^[^\s,;:<>()"]+@[^\s,;:<>()"@]+$/;
const NO_ADDRESS = 'The recipient is not one mail address.';
/** A server that answers in drips keeps each single limit; this one it does not. */
const WHOLE_MAIL_TIMEOUTS = 3;
const IDLE_MS = 30_000;

export function openSmtp(server: MailServer, options: SmtpOptions): Smtp {
  const { timeoutMs = TIMEOUT_MS } = options;
  const handovers = new Map<string, Handover>();
  let opened: Promise<Transporter> | undefined;
  /** Ends the attempts to connect of the one that is open. */
  let stop = new AbortController();
  const transporter = () =>
    (opened ??= openTransporter(server, options, timeoutMs, handovers, stop.signal).catch((failure: unknown) => {
      opened = undefined;
      throw failure;
    }));
  const end = (how: { force: boolean }) => {
    const ending = opened;
    opened = undefined;
    if (how.force) stop.abort();
    stop = new AbortController();
    ending?.then(
      (one) => one.close(how),
      () => {},
    );
  };
  const abort = () => end({ force: true });
  return {
    send: async (mail, beforeAll = async () => {}) => {
      if (!ONE_ADDRESS.test(mail.to)) throw new SendFailure({ message: NO_ADDRESS, code: 'EENVELOPE' }, 'nothing sent');
      let progress: Progress = 'nothing sent';
      handovers.set(mail.messageId, {
        begun: () => {
          progress = 'body begun';
        },
        beforeAll,
        allSent: () => {
          progress = 'all sent';
        },
      });
      const deadline = setTimeout(abort, timeoutMs * WHOLE_MAIL_TIMEOUTS);
      try {
        await (await transporter()).sendMail(messageOf(mail, server));
      } catch (failure) {
        throw new SendFailure(failure as SmtpError, progress);
      } finally {
        clearTimeout(deadline);
        handovers.delete(mail.messageId);
      }
    },
    close: () => end({ force: false }),
    abort,
  };
}

async function openTransporter(
  server: MailServer,
  { startTls, caFile }: SmtpOptions,
  timeoutMs: number,
  handovers: ReadonlyMap<string, Handover>,
  stopped: AbortSignal,
): Promise<Transporter> {
  const { hostname, port, login, tls } = server;
  // Loaded only when there is mail: it would be a tenth of a second of every start.
  const { createTransport } = await import('nodemailer');
  const transporter = createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // The outbox tries again, and it alone knows when that is safe.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    host: hostname,
    port,
    secure: tls,
    requireTLS: !tls && startTls === 'always',
    ignoreTLS: !tls && startTls === 'never',
    ...(login && { auth: { user: login.username, pass: login.password } }),
    ...(caFile !== undefined && { tls: { ca: [...getCACertificates('default'), await readFile(caFile, 'utf8')] } }),
    getSocket: (_: object, callBack: (failure: Error | null, socket?: object) => void) =>
      void connectToMailServer(server, timeoutMs, stopped).then(
        (connection) => callBack(null, { connection }),
        (failure: Error) => callBack(failure),
      ),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transporter.use('stream', (mail, done) => {
    const handover = handovers.get(String(mail.data.messageId));
    if (handover) mail.message.processFunc((input) => pipeline(input, new HeldMessage(handover), () => {}));
    done();
  });
  return transporter;
}

function messageOf({ to, subject, text, html, messageId, createdAt }: StampedMail, { senderEmail }: MailServer) {
  return {
    messageId,
    date: new Date(createdAt),
    from: senderEmail,
    sender: senderEmail,
    replyTo: senderEmail,
    to,
    envelope: { from: senderEmail, to: [to] },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
