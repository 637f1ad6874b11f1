// What administrators should know about the server's health: one message for each thing that is wrong, gone when it is right again.
export type HealthLevel = 'WARNING' | 'ERROR';

export interface HealthMessage {
  readonly message: string;
  readonly detail: string;
  readonly level: HealthLevel;
  readonly time: string;
}

export class HealthMessages {
  readonly #messages = new Map<string, HealthMessage>();

  /** Says it, or says it anew in other words; `about` names the thing that is wrong. */
  raise(about: string, level: HealthLevel, message: string, detail: string): void {
    const known = this.#messages.get(about);
    if (known?.message === message && known.detail === detail && known.level === level) return;
    this.#messages.set(about, { message, detail, level, time: new Date().toISOString().replace(/\.\d+/, '') });
  }

  clear(about: string): void {
    this.#messages.delete(about);
  }

  find(about: string): HealthMessage | undefined {
    return this.#messages.get(about);
  }

  all(): readonly HealthMessage[] {
    return [...this.#messages].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, message]) => message);
  }
}
