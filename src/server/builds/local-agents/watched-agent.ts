// One local agent: started, and started again when it has ended, until the server stops.
import { setTimeout as pause } from 'node:timers/promises';
import { type Holder, holderOf, isRunning } from '../../../agent/work-dir/lock.ts';
import type { HealthMessages } from '../../../health/messages.ts';
import { backOffMs } from '../../../kit/concurrency/retry/exponential-back-off.ts';
import type { Log } from '../../../kit/log.ts';
import type { Account } from './account.ts';
import { startAgent } from './agent-process.ts';
import { endAgent } from './end-agent.ts';
import { prepareWorkDir, workDirOf } from './folders.ts';
import { readRecord, removeRecord, writeRecord } from './record.ts';
import type { Runtime } from './runtime.ts';
import type { ServerAddress } from './server-address.ts';

const BACK_OFF = { firstMs: 1000, maxMs: 60_000 };
/** An agent that ran for so long did not fail to start. */
const STAYS_UP_MS = 30_000;
const FAILURES_TO_REPORT = 3;
const LOOK_EVERY_MS = 500;

export interface WatchedParts {
  readonly number: number;
  readonly dataDir: string;
  readonly runtime: Runtime;
  readonly account: Account | undefined;
  readonly server: ServerAddress;
  /** Empty: there can be none now. */
  newKey(): string;
  /** The markers of the processes of the agent in this work directory. */
  markersOf(workDir: string): readonly string[];
  readonly health: Pick<HealthMessages, 'raise' | 'clear'>;
  readonly log: Log;
  /** Tests do not wait as long. */
  readonly pauseAfter?: (failures: number) => number;
}

export class WatchedAgent {
  readonly #parts: WatchedParts;
  readonly #workDir: string;
  readonly #stopping = new AbortController();
  #holder: Holder | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: WatchedParts) {
    this.#parts = parts;
    this.#workDir = workDirOf(parts.dataDir, parts.number);
  }

  run(): void {
    this.#running ??= this.#watch();
  }

  async stop(): Promise<void> {
    const { dataDir, number, markersOf, health } = this.#parts;
    this.#stopping.abort();
    await endAgent(this.#holder, markersOf(this.#workDir));
    await this.#running;
    removeRecord(dataDir, number);
    health.clear(this.#about);
  }

  get #about(): string {
    return `local agent ${this.#parts.number}`;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    const { pauseAfter = pauseAfterFailures } = this.#parts;
    for (let failures = 1; !signal.aborted; failures++) {
      const began = performance.now();
      const how = await this.#live().catch((failure: Error) => `It could not be started: ${failure.message}`);
      if (signal.aborted) return;
      if (performance.now() - began > STAYS_UP_MS) failures = 1;
      this.#report(failures, how);
      await pause(pauseAfter(failures), undefined, { signal }).catch(() => undefined); // it is not wanted any more
    }
  }

  /** From its start, or from when it was found, to its end. */
  async #live(): Promise<string> {
    const isUp = setTimeout(() => this.#parts.health.clear(this.#about), STAYS_UP_MS);
    try {
      return (await this.#keep()) ?? (await this.#start());
    } finally {
      clearTimeout(isUp);
      this.#holder = undefined;
    }
  }

  /** Undefined: there is none that this server could keep. */
  async #keep(): Promise<string | undefined> {
    const { dataDir, number, log, markersOf } = this.#parts;
    const found = readRecord(dataDir, number);
    if (!found) return undefined;
    if (found.settings !== this.#settings) {
      await endAgent(found.holder, markersOf(this.#workDir));
      return undefined;
    }
    this.#holder = found.holder;
    log.info({ agent: number, pid: found.holder.pid }, 'a local agent of an earlier start goes on');
    while (isRunning(found.holder)) await pause(LOOK_EVERY_MS);
    return 'It has ended.';
  }

  async #start(): Promise<string> {
    const { dataDir, number, runtime, server, account, log } = this.#parts;
    await prepareWorkDir(this.#workDir, account);
    if (this.#stopping.signal.aborted) return '';
    const onLine = (line: string) => log.debug?.({ agent: number, line }, 'a local agent says');
    const { pid, ended } = startAgent({ runtime, server, workDir: this.#workDir, account, key: this.#parts.newKey(), onLine });
    if (pid !== undefined) {
      this.#holder = holderOf(pid);
      writeRecord(dataDir, number, { holder: this.#holder, settings: this.#settings });
    }
    return ended;
  }

  /** An agent that was started with other settings is of no use to this server. */
  get #settings(): string {
    const { server, account } = this.#parts;
    return JSON.stringify([server, account?.uid]);
  }

  #report(failures: number, how: string): void {
    const { number, health, log } = this.#parts;
    log.warn({ agent: number, failures, how }, 'a local agent has ended, and is started again');
    if (failures < FAILURES_TO_REPORT) return;
    const detail = `It has ended ${failures} times in a row. The server tries again, at last once a minute.`;
    health.raise(this.#about, 'ERROR', `The local agent ${number} does not stay up`, `${detail} ${how}`);
  }
}

export function pauseAfterFailures(failures: number): number {
  return backOffMs(BACK_OFF, failures);
}
