// A real SMTP server for a test: keeps the mails it takes, and can be told to refuse, to hang and to break off.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Certificates } from './certificates.ts';

export interface ReceivedMail {
  readonly messageId: string;
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it came: header lines and all parts. */
  readonly raw: string;
  readonly user: string | undefined;
  readonly isSecure: boolean;
}

export interface Behaviour {
  /** The answer to a recipient; absent: accepted. */
  readonly recipient?: { readonly code: number; readonly text: string };
  /** The answer to a whole mail, which is then not kept. */
  readonly mail?: { readonly code: number; readonly text: string };
  /** Takes the mail and says nothing. */
  readonly isSilent?: boolean;
  /** Breaks off in the middle of the mail. */
  readonly breaksOff?: boolean;
  /** Takes the mail and breaks off instead of answering. */
  readonly takesAndBreaksOff?: boolean;
  /** Thinks before it answers. */
  readonly delayMs?: number;
}

/** The steps of a conversation, as this side sees them: each before it is answered, but for the last. */
export const MOMENTS = ['connection', 'sender', 'recipient', 'body', 'all', 'answered'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface SmtpTestOptions {
  readonly certificates?: Certificates;
  /** TLS from the first byte; otherwise STARTTLS is offered when there are certificates. */
  readonly isSecure?: boolean;
  readonly login?: { readonly username: string; readonly password: string };
  readonly port?: number;
}

export class SmtpTestServer {
  readonly received: ReceivedMail[] = [];
  behaviour: Behaviour = {};
  onMoment: (moment: Moment) => void = () => {};
  connections = 0;
  readonly #server: SMTPServer;
  readonly #sockets = new Set<Socket>();

  private constructor({ certificates, isSecure = false, login }: SmtpTestOptions) {
    this.#server = new SMTPServer({
      secure: isSecure,
      ...(certificates && { cert: certificates.cert, key: certificates.key }),
      disabledCommands: [...(certificates ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
      allowInsecureAuth: !certificates,
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: (auth, _, callback) => {
        const isRight = auth.username === login?.username && auth.password === login?.password;
        if (isRight) callback(null, { user: auth.username });
        else callback(Object.assign(new Error('Wrong name or password'), { responseCode: 535 }));
      },
      onConnect: (_, callback) => {
        this.onMoment('connection');
        callback();
      },
      onMailFrom: (_, __, callback) => {
        this.onMoment('sender');
        callback();
      },
      onRcptTo: (_, __, callback) => {
        this.onMoment('recipient');
        const { recipient } = this.behaviour;
        callback(recipient && Object.assign(new Error(recipient.text), { responseCode: recipient.code }));
      },
      onData: (stream, session, callback) => this.#take(stream, session, callback),
    });
    this.#server.on('error', () => {}); // clients that go away in the middle
    this.#server.server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
    });
  }

  static async start(options: SmtpTestOptions = {}): Promise<SmtpTestServer> {
    const test = new SmtpTestServer(options);
    test.#server.listen(options.port ?? 0, '127.0.0.1');
    await once(test.#server.server, 'listening');
    return test;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Only for a server without TLS: to destroy a socket under a TLS one has crashed Node 26. */
  breakOff(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** How often each mail came. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { messageId } of this.received) counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
    return counts;
  }

  #take(stream: SMTPServerDataStream, session: SMTPServerSession, callback: (failure?: Error | null) => void): void {
    const { behaviour } = this;
    const chunks: Buffer[] = [];
    const answer = () => {
      callback();
      this.onMoment('answered');
    };
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => {
      if (chunks.push(chunk) === 1) this.onMoment('body');
      if (behaviour.breaksOff) this.breakOff();
    });
    stream.on('end', () => {
      if (behaviour.mail) {
        callback(Object.assign(new Error(behaviour.mail.text), { responseCode: behaviour.mail.code }));
        return;
      }
      this.received.push(receivedMail(Buffer.concat(chunks).toString('utf8'), session));
      this.onMoment('all');
      if (behaviour.takesAndBreaksOff) this.breakOff();
      else if (!behaviour.isSilent) setTimeout(answer, behaviour.delayMs ?? 0);
    });
  }
}

function receivedMail(raw: string, { envelope, user, secure }: SMTPServerSession): ReceivedMail {
  return {
    messageId: headerOf(raw, 'Message-ID') ?? '',
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
    raw,
    user: user as string | undefined,
    isSecure: secure,
  };
}

/** A header with its continuation lines joined. */
export function headerOf(raw: string, name: string): string | undefined {
  const headers = raw.split('\r\n\r\n', 1)[0]!.replace(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim();
}
