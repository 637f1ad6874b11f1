// The life of the thread that keeps the document: works while there is something to record, answers in between.
import type { MessagePort } from 'node:worker_threads';
import type { Follower } from './follower.ts';
import type { FromThread, Question, ToThread } from './messages.ts';

/** Time for more revisions to come, so that they are recorded together: each batch leaves a pack that a check of the repository reads. */
const PAUSE_MS = 1000;

export function serveFollower(port: MessagePort, follower: Follower, close: () => Promise<void>): void {
  const service = new FollowerService(port, follower, close);
  port.on('message', (message: ToThread) => service.receive(message));
  service.start();
}

class FollowerService {
  readonly #port: MessagePort;
  readonly #follower: Follower;
  readonly #close: () => Promise<void>;
  /** Settles when all that was asked for so far is done. */
  #done: Promise<void> = Promise.resolve();
  /** Questions that wait until a revision is in the history. */
  #waiting: { readonly id: number; readonly minRevision: number }[] = [];
  #next: NodeJS.Timeout | undefined;
  /** It works as soon as all earlier requests are done. */
  #isDue = false;
  #lastWorked = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(port: MessagePort, follower: Follower, close: () => Promise<void>) {
    this.#port = port;
    this.#follower = follower;
    this.#close = close;
  }

  start(): void {
    this.#wake();
  }

  receive(message: ToThread): void {
    this.#serialized(async () => {
      if ('question' in message) return this.#answerOrFail(message.id, message.question);
      if ('stop' in message) this.#isStopping = true;
      this.#wake();
    });
  }

  /** One after the other, in the order of the requests. A failure here ends the thread, and later requests are not done. */
  #serialized(task: () => Promise<void>): void {
    this.#done = this.#done.then(task);
  }

  #wake(): void {
    if (this.#isDue) return;
    const isUrgent = this.#isStopping || this.#waiting.length > 0 || this.#follower.hasBacklog;
    const pause = isUrgent ? 0 : this.#lastWorked + PAUSE_MS - performance.now();
    if (this.#next !== undefined && pause > 0) return;
    clearTimeout(this.#next);
    this.#next = setTimeout(
      () => {
        this.#next = undefined;
        this.#isDue = true;
        this.#serialized(() => this.#work());
      },
      Math.max(pause, 0),
    );
  }

  async #work(): Promise<void> {
    this.#isDue = false;
    if (this.#isStopping) return this.#end();
    const hasWorked = await this.#follower.work();
    this.#lastWorked = performance.now();
    const recorded = this.#follower.recordedRevision;
    for (const { id, minRevision } of this.#waiting) if (minRevision <= recorded) this.#post({ id, answer: undefined });
    this.#waiting = this.#waiting.filter(({ minRevision }) => minRevision > recorded);
    this.#post({ recorded });
    if (hasWorked) this.#wake();
  }

  async #end(): Promise<void> {
    try {
      this.#follower.rest();
    } finally {
      await this.#close();
      this.#port.close();
    }
  }

  async #answerOrFail(id: number, question: Question): Promise<void> {
    try {
      await this.#answer(id, question);
    } catch (failure) {
      this.#post({ id, failure: String(failure) });
    }
  }

  async #answer(id: number, question: Question): Promise<void> {
    if (question.ask === 'recorded') {
      this.#waiting.push({ id, minRevision: question.minRevision });
      this.#wake();
    } else if (question.ask === 'rewrite') {
      this.#follower.rewrite();
      this.#post({ recorded: this.#follower.recordedRevision });
      this.#post({ id, answer: undefined });
      this.#wake();
    } else {
      const document = await this.#follower.documentAt(question.minRevision);
      this.#post({ id, answer: document }, [document.bytes.buffer]);
    }
  }

  #post(message: FromThread, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}
