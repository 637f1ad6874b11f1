// Reports the problems of one entity of a YAML file, and remembers which of its parts are incomplete.
import type { Report } from '../report.ts';
import { type Diagnostics, FormProblem } from './forms.ts';

export class EntityDiagnostics implements Diagnostics {
  readonly #kind: string;
  readonly #name: string;
  readonly #report: Report;
  readonly #incomplete = new Set<number>();

  constructor(kind: string, name: string, report: Report) {
    this.#kind = kind;
    this.#name = name;
    this.#report = report;
  }

  /** Where its incomplete parts begin: the model must not report their missing fields again. */
  get incomplete(): ReadonlySet<number> {
    return this.#incomplete;
  }

  warn(at: number, message: string, hint?: string): void {
    this.#report.warning(at, message, { entity: this.#entity, hint });
  }

  tried<T>(holder: number, translate: () => T): T | undefined {
    try {
      return translate();
    } catch (failure) {
      if (!(failure instanceof FormProblem)) throw failure;
      const { at, message, hint } = failure;
      this.#report.problem(at, `Failed to parse ${this.#kind} ${this.#name}; ${message}`, { entity: this.#entity, hint });
      this.#incomplete.add(holder);
      return undefined;
    }
  }

  get #entity(): string {
    return `${this.#kind} '${this.#name}'`;
  }
}
