// Reports of a job's states: numbered, in order, and each sent until the server has answered it.
import type { Report, ReportedResult, ReportedState } from '../../contracts/agent-protocol/messages.ts';
import { SerialQueue } from '../../kit/concurrency/serial-queue.ts';
import { BackOff } from '../server/back-off.ts';
import type { Answer } from '../server/server-client.ts';

/** The job is not this agent's any more, or the server cannot make anything of the report. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 422]);

export interface ReportParts {
  readonly instance: string;
  readonly epoch: number;
  readonly send: (report: Report) => Promise<Answer>;
  readonly onRefused: (answer: Answer) => void;
}

export class Reports {
  readonly #parts: ReportParts;
  readonly #over = new AbortController();
  readonly #queue = new SerialQueue();
  #count = 0;

  constructor(parts: ReportParts) {
    this.#parts = parts;
  }

  /** Resolved when it and all before it are answered, or none will be sent any more. */
  report(state: ReportedState, result?: ReportedResult): Promise<void> {
    const { instance, epoch } = this.#parts;
    const report = { instance, epoch, number: ++this.#count, state, ...(result === undefined ? {} : { result }) };
    return this.#queue.run(() => this.#untilAnswered(report));
  }

  stop(): void {
    this.#over.abort();
  }

  async #untilAnswered(report: Report): Promise<void> {
    const backOff = new BackOff();
    while (!this.#over.signal.aborted) {
      // No answer: the server is away.
      const answer = await this.#parts.send(report).catch(() => undefined);
      if (answer && answer.status >= 200 && answer.status < 300) return;
      if (answer && REFUSALS.has(answer.status)) {
        const wasActive = !this.#over.signal.aborted;
        this.stop();
        if (wasActive) this.#parts.onRefused(answer);
        return;
      }
      await backOff.pause(this.#over.signal);
    }
  }
}
