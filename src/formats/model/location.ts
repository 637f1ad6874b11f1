// Where in an entity a value is read: the names around it, for the messages of problems.
import type { Report } from '../report.ts';
import { BodyBuilder } from './body-builder.ts';

export class EntityLocation {
  readonly report: Report;
  readonly body: BodyBuilder;
  readonly #entity: string | undefined;
  readonly #text: () => string;

  private constructor(report: Report, body: BodyBuilder, entity: string | undefined, text: () => string) {
    this.report = report;
    this.body = body;
    this.#entity = entity;
    this.#text = text;
  }

  static entity(report: Report, kind: 'Pipeline' | 'Environment', name: string | undefined): EntityLocation {
    const entity = name === undefined ? undefined : `${kind.toLowerCase()} '${name}'`;
    const text = name === undefined ? `${kind} in ${report.file}` : `${report.file}; ${kind} ${name}`;
    return new EntityLocation(report, new BodyBuilder(), entity, () => text);
  }

  /** The names are put together only when there is something to say. */
  within(label: () => string): EntityLocation {
    return new EntityLocation(this.report, this.body, this.#entity, () => `${this.#text()}; ${label()}`);
  }

  problem(at: number, message: string, hint?: string): void {
    this.report.problem(at, message, { entity: this.#entity, location: this.#text(), hint });
  }

  warning(at: number, message: string, hint?: string): void {
    this.report.warning(at, message, { entity: this.#entity, location: this.#text(), hint });
  }
}
