// Messages for administrators about the server's health: one for each problem, gone when the problem is solved.
export type HealthLevel = 'WARNING' | 'ERROR';

export interface HealthMessage {
  readonly message: string;
  readonly detail: string;
  readonly level: HealthLevel;
  readonly time: string;
}

export class HealthMessages {
  readonly #messages = new Map<string, HealthMessage>();
  readonly #listeners: (() => void)[] = [];

  /** Called when there are others than before. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Says it, or says it anew in other words; `about` names the thing that is wrong. */
  raise(about: string, level: HealthLevel, message: string, detail: string): void {
    const known = this.#messages.get(about);
    if (known?.message === message && known.detail === detail && known.level === level) return;
    this.#messages.set(about, { message, detail, level, time: new Date().toISOString().replace(/\.\d+/, '') });
    this.#notify();
  }

  clear(about: string): void {
    if (this.#messages.delete(about)) this.#notify();
  }

  find(about: string): HealthMessage | undefined {
    return this.#messages.get(about);
  }

  all(): readonly HealthMessage[] {
    return [...this.#messages].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, message]) => message);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
