// Writes revisions: the entities they touch and their entries in the change log, in one transaction.
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import { fill } from '../fill.ts';
import type { ChangeOperation, ChangeRow, EntityRow, RevisionRow } from '../rows/configuration.ts';
import type { Tables } from '../tables.ts';
import { type CommitWithEvents, type NewEvent, withoutEvents } from '../write-with-events.ts';

export interface TouchedEntity {
  readonly kind: string;
  readonly key: string;
  /** Its id in addresses, as it is written. */
  readonly id: string;
  readonly operation: ChangeOperation;
  readonly created: number;
  /** The entity that shows it, in lower case, after the change and before it. */
  readonly owner: string | null;
  readonly formerOwner: string | null;
  /** Its name, where that differs from its key. */
  readonly label: string | null;
  readonly before: string | null;
  readonly after: { readonly value: string; readonly etag: string } | null;
}

export interface RevisionToWrite {
  readonly revision: Readonly<RevisionRow>;
  readonly touched: readonly TouchedEntity[];
  /** Further statements of the same transaction. */
  readonly extraStatements: readonly CompiledQuery[];
}

/** All of them are on disk when it returns, or none. */
export type CommitRevisions = (revisions: readonly RevisionToWrite[]) => Promise<void>;

/** How events of revisions are published, in the transaction that writes them. */
export interface RevisionEvents {
  readonly write: CommitWithEvents;
  eventOf(revision: RevisionToWrite): NewEvent;
  /** Further statements that must be written when these entities are touched. */
  extraStatements(touched: readonly TouchedEntity[]): readonly CompiledQuery[];
}

/** Compiles the statements once; each commit only fills in their values. */
export function revisionWriter(database: Database, events?: RevisionEvents): CommitRevisions {
  const statements = compileStatements(database.query);
  const write = events?.write ?? withoutEvents(database);
  return (revisions) =>
    write(
      revisions.map((revision) => ({
        events: events ? [events.eventOf(revision)] : [],
        statements: [...statementsFor(revision, statements), ...(events?.extraStatements(revision.touched) ?? [])],
      })),
    );
}

function statementsFor(
  { revision, touched, extraStatements }: RevisionToWrite,
  statements: ReturnType<typeof compileStatements>,
): CompiledQuery[] {
  const { revision: number, time, actor, token, address, reason } = revision;
  const filled = [fill(statements.addRevision, [number, time, actor, token, address, reason])];
  for (const [position, { kind, key, operation, created, before, after, owner, formerOwner, label }] of touched.entries()) {
    const values = [number, position, operation, kind, key, before, after?.value ?? null, created, owner, formerOwner, label];
    filled.push(fill(statements.addChange, values));
    filled.push(
      after
        ? fill(statements.putEntity, [kind, key, created, number, after.etag, after.value])
        : fill(statements.removeEntity, [kind, key]),
    );
  }
  return [...filled, ...extraStatements];
}

function compileStatements(query: Kysely<Tables>) {
  const revision: RevisionRow = { revision: 0, time: '', actor: '', token: null, address: null, reason: null };
  const change: ChangeRow = {
    revision: 0,
    position: 0,
    operation: 'create',
    kind: '',
    key: '',
    before: null,
    after: null,
    created: 0,
    owner: null,
    former_owner: null,
    label: null,
  };
  const entity: EntityRow = { kind: '', key: '', created: 0, revision: 0, etag: '', value: '' };
  return {
    addRevision: query.insertInto('revisions').values(revision).compile(),
    addChange: query.insertInto('changes').values(change).compile(),
    putEntity: query
      .insertInto('entities')
      .values(entity)
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'key'])
          .doUpdateSet({ revision: sql`excluded.revision`, etag: sql`excluded.etag`, value: sql`excluded.value` }),
      )
      .compile(),
    removeEntity: query.deleteFrom('entities').where('kind', '=', '').where('key', '=', '').compile(),
  };
}
