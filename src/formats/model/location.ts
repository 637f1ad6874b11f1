// Where in an entity a value is read: the names around it, for the messages of problems.
import type { Report } from '../report.ts';
import { Sketch } from './sketch.ts';

export class Where {
  readonly report: Report;
  readonly sketch: Sketch;
  readonly #entity: string | undefined;
  readonly #location: () => string;

  private constructor(report: Report, sketch: Sketch, entity: string | undefined, location: () => string) {
    this.report = report;
    this.sketch = sketch;
    this.#entity = entity;
    this.#location = location;
  }

  static entity(report: Report, kind: 'Pipeline' | 'Environment', name: string | undefined): Where {
    const entity = name === undefined ? undefined : `${kind.toLowerCase()} '${name}'`;
    const location = name === undefined ? `${kind} in ${report.file}` : `${report.file}; ${kind} ${name}`;
    return new Where(report, new Sketch(), entity, () => location);
  }

  /** The names are put together only when there is something to say. */
  within(label: () => string): Where {
    return new Where(this.report, this.sketch, this.#entity, () => `${this.#location()}; ${label()}`);
  }

  problem(at: number, message: string, hint?: string): void {
    this.report.problem(at, message, { entity: this.#entity, location: this.#location(), hint });
  }

  warning(at: number, message: string, hint?: string): void {
    this.report.warning(at, message, { entity: this.#entity, location: this.#location(), hint });
  }
}
