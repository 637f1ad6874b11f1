// The program that starts programs for the server: a process is copied to start another one, and this one is small.
// Its argument: how many milliseconds are between the starts of any two.

import { StartLimiter } from '../concurrency/limits/start-limiter.ts';
import type { FromLauncher, ToLauncher } from './command-messages.ts';
import { RunningCommand } from './command-process.ts';
import { lowerPriority } from './low-priority.ts';

/** How many pieces of an output are under way to the server before it must have taken one. */
const MAX_UNDER_WAY = 4;
const ACTIVITY_EVERY_MS = 1_000;
/** Most programs print little and end at once: one message says both. */
const LITTLE_BYTES = 16 * 1024;
const HELD_BACK_MS = 20;
/** Requests come first: no client waits for these programs as for an answer. The programs inherit the priority of this process. */
const STEPS_BEHIND = 10;

type StartOrder = Extract<ToLauncher, { kind: 'start' }>;

class Task {
  readonly #id: number;
  readonly command: RunningCommand;
  #heldBack: Buffer | undefined;
  #heldBackTimer: NodeJS.Timeout | undefined;
  #underWay = 0;
  #wake: (() => void) | undefined;
  #activitySentAt = Number.NEGATIVE_INFINITY;

  constructor({ id, program, args, options }: StartOrder) {
    this.#id = id;
    this.command = new RunningCommand(program, args, options, () => this.#sendActivity());
  }

  async run(): Promise<void> {
    for (let chunk = await this.command.next(); chunk; chunk = await this.command.next()) {
      this.#takeOutput(chunk);
      if (this.#underWay >= MAX_UNDER_WAY) await this.#untilTaken();
    }
    const end = await this.command.end();
    clearTimeout(this.#heldBackTimer);
    send({ id: this.#id, kind: 'end', end, ...(this.#heldBack && { chunk: this.#heldBack }) });
  }

  taken(count: number): void {
    this.#underWay -= count;
    this.#wake?.();
  }

  stop(reason: Parameters<RunningCommand['stop']>[0]): void {
    this.command.stop(reason);
    this.#underWay = Number.NEGATIVE_INFINITY; // the server takes no more output
    this.#wake?.();
  }

  #takeOutput(chunk: Buffer): void {
    this.#heldBack = this.#heldBack ? Buffer.concat([this.#heldBack, chunk]) : chunk;
    if (this.#heldBack.length >= LITTLE_BYTES) this.#sendOutput();
    else this.#heldBackTimer ??= setTimeout(() => this.#sendOutput(), HELD_BACK_MS);
  }

  #sendOutput(): void {
    clearTimeout(this.#heldBackTimer);
    this.#heldBackTimer = undefined;
    send({ id: this.#id, kind: 'output', chunk: this.#heldBack! });
    this.#heldBack = undefined;
    this.#underWay++;
  }

  async #untilTaken(): Promise<void> {
    const goOn = this.command.hold();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    goOn();
  }

  #sendActivity(): void {
    if (performance.now() - this.#activitySentAt < ACTIVITY_EVERY_MS) return;
    this.#activitySentAt = performance.now();
    send({ id: this.#id, kind: 'activity' });
  }
}

lowerPriority(STEPS_BEHIND);
const tasks = new Map<number, Task>();
const [gapMs] = process.argv.slice(2).map(Number);
const starts = new StartLimiter(gapMs ?? 0, start);

function start(order: StartOrder): void {
  const { id } = order;
  try {
    const task = new Task(order);
    tasks.set(id, task);
    void task.run().finally(() => tasks.delete(id));
  } catch (failure) {
    // Words that no program can be given, for example. Its message would repeat them.
    const { code = 'unknown' } = failure as NodeJS.ErrnoException;
    send({ id, kind: 'end', end: { notStarted: code, exitCode: null, signal: null, stderr: '' } });
  }
}

function send(message: FromLauncher): void {
  if (process.connected) process.send!(message);
}

process.on('message', (message: ToLauncher) => {
  const { id } = message;
  switch (message.kind) {
    case 'start':
      starts.add(message);
      return;
    case 'taken':
      tasks.get(id)?.taken(message.count);
      return;
    case 'stop':
      if (starts.withdraw(id)) send({ id, kind: 'end', end: { stopped: message.reason, exitCode: null, signal: null, stderr: '' } });
      else tasks.get(id)?.stop(message.reason);
  }
});
// The server decides when its programs end, also when a user interrupts the whole group from a terminal; and they end with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', async () => {
  const running = [...tasks.values()];
  for (const task of running) task.stop('aborted');
  await Promise.all(running.map(({ command }) => command.end()));
  process.exit();
});
