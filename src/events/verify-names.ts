// Whether the names of revisions are those that events report.
import type { RevisionNameRow } from '../store/rows/configuration.ts';
import type { EventContent } from './stored-event.ts';

export type NameRow = Readonly<Pick<RevisionNameRow, 'revision' | 'name' | 'named_by'>>;

/** The names as they were after some event. */
export interface NamesAtEvent {
  readonly asOf: number;
  readonly rows: readonly NameRow[];
}

export class ReportedNames {
  readonly #reported = new Map<number, Omit<NameRow, 'revision'>>();

  /** To be called with all events, in their order. */
  add({ type, actor, about, data }: EventContent): void {
    if (type !== 'revision.named' && type !== 'revision.unnamed') return;
    const revision = Number(about[0]?.id);
    if (typeof data.name === 'string') this.#reported.set(revision, { name: data.name, named_by: actor ?? '' });
    else this.#reported.delete(revision);
  }

  faults(rows: readonly NameRow[]): string[] {
    const left = new Map(this.#reported);
    const wrong = rows.flatMap(({ revision, name, named_by }) => {
      const reported = left.get(revision);
      left.delete(revision);
      if (!reported) return [fault(revision, `it has the name ${quoted(name)}, and no event gave it one.`)];
      if (reported.name !== name)
        return [fault(revision, `its name is ${quoted(name)}, and the last event about it says ${quoted(reported.name)}.`)];
      if (reported.named_by !== named_by)
        return [fault(revision, `it was named by ${reported.named_by}, as its event says, and not by ${named_by}.`)];
      return [];
    });
    return [...wrong, ...Array.from(left, ([revision, { name }]) => fault(revision, `its name ${quoted(name)} is missing.`))];
  }
}

function fault(revision: number, reason: string): string {
  return `Table revision_names, revision ${revision}: ${reason}`;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
