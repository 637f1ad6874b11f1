// The modifications of materials: written in short transactions, oldest first, and read a page at a time from the newest.
import type { CompiledQuery } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import { DutyCycle } from '../../kit/concurrency/duty-cycle.ts';
import { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Range } from '../builds/cursor-page.ts';
import type { Database } from '../database.ts';
import type { ModificationRow } from '../rows/materials.ts';
import { MAX_IN_SLICE, slicesOf } from './modification-slices.ts';
import { type ModificationStatements, modificationStatements } from './modification-statements.ts';
import { storableText } from './storable-text.ts';

export type FileAction = 'added' | 'modified' | 'deleted' | 'unknown';

export interface ModifiedFile {
  readonly name: string;
  readonly action: FileAction;
}

export interface ModificationToRecord {
  readonly revision: string;
  readonly userName: string | null;
  readonly email: string | null;
  readonly comment: string | null;
  readonly modifiedTime: Date;
  readonly files: readonly ModifiedFile[];
  readonly additionalData?: string;
  /** Where it is a run of another pipeline. */
  readonly pipelineLabel?: string;
  readonly pipelineId?: number;
}

export interface Modification extends Omit<ModificationToRecord, 'files'> {
  /** Grows over all materials. */
  readonly id: number;
  /** 1, 2, 3 … in its material. */
  readonly ordinal: number;
}

export interface ModificationPage {
  readonly total: number;
  /** Newest first. */
  readonly modifications: readonly Modification[];
}

/** Of the time, while requests are answered: recording a long history may take minutes, and does not slow them down. */
const SHARE = 0.15;
const MAX_REST_MS = 100;
/** Maximum number of materials that are asked for in one statement. */
const MAX_AT_ONCE = 200;

export class Modifications {
  readonly #database: Database;
  readonly #statements: ModificationStatements;
  /** By the id of the material. */
  readonly #recordings = new KeyedMutex();
  readonly #dutyCycle = new DutyCycle({ share: SHARE, maxRestMs: MAX_REST_MS });
  /** undefined: it is not known, because others may add some. */
  #lastId: number | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = modificationStatements(database.query);
  }

  /** Learns which ids are taken. From then on no other server may add any, until `unload`. */
  async load(): Promise<void> {
    const { query } = this.#database;
    const newest = await query.selectFrom('modifications').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    this.#lastId = newest?.id ?? 0;
  }

  unload(): void {
    this.#lastId = undefined;
  }

  /**
   * Adds those that are not there yet, oldest first, and returns how many. Each slice is on disk with the revision it ends with, so
   * that after a crash the next poll goes on from there.
   */
  record(materialId: number, modifications: readonly ModificationToRecord[]): Promise<number> {
    return this.#recordings.run(String(materialId), () => this.#record(materialId, modifications));
  }

  async #record(materialId: number, modifications: readonly ModificationToRecord[]): Promise<number> {
    const first = await this.#countOf(materialId);
    let count = first;
    for (const slice of slicesOf(modifications)) {
      await this.#dutyCycle.run(async () => {
        const known = await this.#knownAmong(materialId, slice);
        const fresh = slice.filter(({ revision }) => !known.has(revision) && known.add(revision));
        const rows = fresh.map((one) => ({
          ...rowOf(one),
          id: this.#nextId(),
          material_id: materialId,
          ordinal: ++count,
          files: one.files,
        }));
        const advance = this.#statements.advance(materialId, count, slice.at(-1)!.revision);
        // A lost modification is found again by the next poll.
        await this.#database.writeRelaxed([...rows.flatMap((row) => this.#statements.add(row)), advance]);
      });
    }
    return count - first;
  }

  /** For the commit that completes a stage. The caller makes sure that nothing else is recorded of that material meanwhile. */
  async statementsFor(materialId: number, modification: ModificationToRecord): Promise<CompiledQuery[]> {
    const known = await this.find(materialId, modification.revision);
    if (known) return [];
    const ordinal = (await this.#countOf(materialId)) + 1;
    const row = { ...rowOf(modification), id: this.#nextId(), material_id: materialId, ordinal, files: modification.files };
    return [...this.#statements.add(row), this.#statements.advance(materialId, ordinal, modification.revision)];
  }

  #nextId(): number {
    if (this.#lastId === undefined) throw new NotKeeper();
    return ++this.#lastId;
  }

  /** Modifications of a material, from the newest, without the first `offset`. The cost does not depend on how many there are. */
  async page(materialId: number, offset: number, limit: number): Promise<ModificationPage> {
    const total = await this.#countOf(materialId);
    if (offset >= total) return { total, modifications: [] };
    const rows = await this.#database.query
      .selectFrom('modifications')
      .selectAll()
      .where('material_id', '=', materialId)
      .where('ordinal', '<=', total - offset)
      .orderBy('ordinal', 'desc')
      .limit(limit)
      .execute();
    return { total, modifications: rows.map(fromRow) };
  }

  /** The newest of each material that has any, by fingerprint. */
  async newest(fingerprints: readonly string[]): Promise<Map<string, Modification>> {
    const found = new Map<string, Modification>();
    for (const some of chunksOf(fingerprints, MAX_AT_ONCE)) {
      const rows = await this.#database.query
        .selectFrom('materials')
        .innerJoin('modifications', (join) =>
          join.onRef('modifications.material_id', '=', 'materials.id').onRef('modifications.ordinal', '=', 'materials.modification_count'),
        )
        .selectAll('modifications')
        .select('materials.fingerprint')
        .where('materials.fingerprint', 'in', some)
        .execute();
      for (const row of rows) found.set(row.fingerprint, fromRow(row));
      const wait = pause();
      if (wait) await wait;
    }
    return found;
  }

  /** The modifications after an ordinal, oldest first. */
  async after(materialId: number, ordinal: number, limit: number): Promise<Modification[]> {
    const rows = await this.#database.query
      .selectFrom('modifications')
      .selectAll()
      .where('material_id', '=', materialId)
      .where('ordinal', '>', ordinal)
      .orderBy('ordinal')
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  }

  /** The modifications on one side of an ordinal, at most `limit`. */
  async beside(materialId: number, { side, id: ordinal, order, limit }: Range): Promise<Modification[]> {
    const { query } = this.#database;
    const ofMaterial = query.selectFrom('modifications').selectAll().where('material_id', '=', materialId);
    return (await ofMaterial.where('ordinal', side, ordinal).orderBy('ordinal', order).limit(limit).execute()).map(fromRow);
  }

  async find(materialId: number, revision: string): Promise<Modification | undefined> {
    const row = await this.#database.query
      .selectFrom('modifications')
      .selectAll()
      .where('material_id', '=', materialId)
      .where('revision', '=', revision)
      .executeTakeFirst();
    return row && fromRow(row);
  }

  /** The revisions of a material that begin with hexadecimal digits in lower case. */
  async revisionsFrom(materialId: number, digits: string, limit: number): Promise<string[]> {
    const rows = await this.#database.query
      .selectFrom('modifications')
      .select('revision')
      .where('material_id', '=', materialId)
      .where('revision', '>=', digits)
      // The letter after the last hexadecimal digit.
      .where('revision', '<', `${digits}g`)
      .limit(limit)
      .execute();
    return rows.map(({ revision }) => revision);
  }

  async byIds(ids: readonly number[]): Promise<Modification[]> {
    const found: Modification[] = [];
    for (let start = 0; start < ids.length; start += MAX_AT_ONCE) {
      if (start > 0) await pause();
      const some = ids.slice(start, start + MAX_AT_ONCE);
      found.push(...(await this.#database.query.selectFrom('modifications').selectAll().where('id', 'in', some).execute()).map(fromRow));
    }
    return found;
  }

  /** The modifications of one material from one id to another, newest first, at most `limit`. */
  async between(fingerprint: string, first: number, last: number, limit: number): Promise<Modification[]> {
    const rows = await this.#database.query
      .selectFrom('modifications')
      .innerJoin('materials', 'materials.id', 'modifications.material_id')
      .selectAll('modifications')
      .where('materials.fingerprint', '=', fingerprint)
      .where('modifications.ordinal', '>=', this.#ordinalOf(first))
      .where('modifications.ordinal', '<=', this.#ordinalOf(last))
      .orderBy('modifications.ordinal', 'desc')
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  }

  /** The first one of a material after another one; undefined: there is none. */
  async firstAfter(fingerprint: string, id: number): Promise<number | undefined> {
    const row = await this.#database.query
      .selectFrom('modifications')
      .innerJoin('materials', 'materials.id', 'modifications.material_id')
      .select('modifications.id')
      .where('materials.fingerprint', '=', fingerprint)
      .where('modifications.ordinal', '>', this.#ordinalOf(id))
      .orderBy('modifications.ordinal')
      .limit(1)
      .executeTakeFirst();
    return row?.id;
  }

  /** The index of a material is by ordinals, which grow with the ids. */
  #ordinalOf(id: number) {
    return this.#database.query.selectFrom('modifications as named').select('named.ordinal').where('named.id', '=', id);
  }

  async filesOf(id: number): Promise<ModifiedFile[]> {
    const rows = await this.#database.query
      .selectFrom('modified_files')
      .select(['name', 'action'])
      .where('modification_id', '=', id)
      .orderBy('position')
      .execute();
    return rows.map(({ name, action }) => ({ name, action: action as FileAction }));
  }

  async #countOf(materialId: number): Promise<number> {
    const { query } = this.#database;
    const row = await query.selectFrom('materials').select('modification_count').where('id', '=', materialId).executeTakeFirstOrThrow();
    return row.modification_count;
  }

  async #knownAmong(materialId: number, slice: readonly ModificationToRecord[]): Promise<Set<string>> {
    // Always the same number of places, so that it is always the same statement.
    const revisions = Array.from({ length: MAX_IN_SLICE }, (_, index) => slice[Math.min(index, slice.length - 1)]!.revision);
    const { rows } = await this.#database.query.executeQuery(this.#statements.known(materialId, revisions));
    return new Set(rows.map(({ revision }) => revision));
  }
}

function rowOf(one: ModificationToRecord): Omit<ModificationRow, 'id' | 'material_id' | 'ordinal'> {
  return {
    revision: one.revision,
    user_name: storableText(one.userName),
    email: storableText(one.email),
    comment: storableText(one.comment),
    modified_time: one.modifiedTime.getTime(),
    pipeline_label: storableText(one.pipelineLabel ?? null),
    pipeline_id: one.pipelineId ?? null,
    additional_data: storableText(one.additionalData ?? null),
  };
}

function fromRow(row: ModificationRow): Modification {
  return {
    id: row.id,
    ordinal: row.ordinal,
    revision: row.revision,
    userName: row.user_name,
    email: row.email,
    comment: row.comment,
    modifiedTime: new Date(row.modified_time),
    ...(row.pipeline_label !== null && { pipelineLabel: row.pipeline_label }),
    ...(row.pipeline_id !== null && { pipelineId: row.pipeline_id }),
    ...(row.additional_data !== null && { additionalData: row.additional_data }),
  };
}
