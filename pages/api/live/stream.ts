// The connection on which the server sends notices of changes. Runs in a worker that all tabs share, or in the page where there is none.
import { type FromWorker, NOTICE_KINDS, type Notice, type NoticeKind } from './messages.ts';

/** Notices are handed on together, so that a busy server does not make pages draw for each of them. */
const GATHER_MS = 100;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;

export class Stream {
  readonly #address: string;
  readonly #emit: (message: FromWorker) => void;
  #source: EventSource | undefined;
  #gathered: Notice[] = [];
  #gatherTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #lastId = '';
  #state: FromWorker | undefined;

  constructor(address: string, emit: (message: FromWorker) => void) {
    this.#address = address;
    this.#emit = emit;
    this.#open();
  }

  /** undefined: the first attempt has not ended yet. */
  get state(): FromWorker | undefined {
    return this.#state;
  }

  close(): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#gatherTimer);
    this.#source?.close();
    this.#source = undefined;
  }

  #open(): void {
    // A new EventSource forgets the number of the last event, which the old one would have sent by itself.
    const since = this.#lastId === '' ? '' : `?since=${encodeURIComponent(this.#lastId)}`;
    const source = new EventSource(`${this.#address}${since}`);
    this.#source = source;
    source.addEventListener('open', () => {
      this.#retryMs = FIRST_RETRY_MS;
      this.#changeState('live');
    });
    source.addEventListener('ready', (event) => {
      this.#lastId = event.lastEventId;
    });
    source.addEventListener('reload', (event) => {
      this.#lastId = event.lastEventId;
      this.#emit({ type: 'reload' });
    });
    for (const kind of NOTICE_KINDS) source.addEventListener(kind, (event) => this.#gather(kind, event));
    source.addEventListener('end', () => {
      source.close();
      this.#changeState('signed-out');
    });
    source.addEventListener('error', () => this.#retry(source));
  }

  #gather(kind: NoticeKind, event: MessageEvent<string>): void {
    this.#lastId = event.lastEventId;
    this.#gathered.push({ ...(JSON.parse(event.data) as Omit<Notice, 'kind'>), kind });
    this.#gatherTimer ??= setTimeout(() => {
      const notices = this.#gathered;
      this.#gathered = [];
      this.#gatherTimer = undefined;
      this.#emit({ type: 'notices', notices });
    }, GATHER_MS);
  }

  /** EventSource gives up for good on a status other than 200, and hammers a server that is away: so the waits are our own. */
  #retry(source: EventSource): void {
    source.close();
    if (this.#source !== source) return;
    this.#changeState('connecting');
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.#reopen(source), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  /** EventSource does not report the status of an answer: another request finds out whether the session has ended. */
  async #reopen(failed: EventSource): Promise<void> {
    const hasEnded = await fetch(new URL('session', this.#address)).then(
      ({ status }) => status === 401,
      () => false, // the server is away
    );
    if (this.#source !== failed) return;
    if (hasEnded) this.#changeState('signed-out');
    else this.#open();
  }

  #changeState(state: 'connecting' | 'live' | 'signed-out'): void {
    this.#state = { type: 'state', state };
    this.#emit(this.#state);
  }
}
