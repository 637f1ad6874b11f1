// The statements that write modifications, compiled once: a large repository has very many of them.
import type { CompiledQuery, Kysely } from 'kysely';
import { fill } from '../fill.ts';
import type { MaterialRow, ModificationRow, ModifiedFileRow } from '../rows/materials.ts';
import type { Tables } from '../tables.ts';
import { MAX_IN_SLICE } from './modification-slices.ts';
import { storableText } from './storable-text.ts';

type WrittenModification = ModificationRow & { readonly files: readonly Omit<ModifiedFileRow, 'modification_id' | 'position'>[] };

export interface ModificationStatements {
  add(modification: WrittenModification): CompiledQuery[];
  /** Selects those revisions of a material that are known, among as many as a slice may have. */
  known(materialId: number, revisions: readonly string[]): CompiledQuery<{ readonly revision: string }>;
  /** Updates the material after a slice. */
  advance(id: number, count: MaterialRow['modification_count'], lastRevision: string): CompiledQuery;
}

export function modificationStatements(query: Kysely<Tables>): ModificationStatements {
  const addModification = query.insertInto('modifications').values(EMPTY).compile();
  const addFile = query.insertInto('modified_files').values({ modification_id: 0, position: 0, name: '', action: '' }).compile();
  const known = query
    .selectFrom('modifications')
    .select('revision')
    .where('material_id', '=', 0)
    .where('revision', 'in', Array<string>(MAX_IN_SLICE).fill(''))
    .compile();
  const advance = query.updateTable('materials').set({ modification_count: 0, last_revision: '' }).where('id', '=', 0).compile();
  return {
    add: ({ files, ...row }) => [
      fill(
        addModification,
        COLUMNS.map((column) => row[column]),
      ),
      ...files.map(({ name, action }, position) => fill(addFile, [row.id, position, storableText(name), action])),
    ],
    known: (materialId, revisions) => fill(known, [materialId, ...revisions]),
    advance: (id, count, lastRevision) => fill(advance, [count, lastRevision, id]),
  };
}

const EMPTY: Required<ModificationRow> = {
  id: 0,
  material_id: 0,
  ordinal: 0,
  revision: '',
  user_name: null,
  email: null,
  comment: null,
  modified_time: 0,
  pipeline_label: null,
  pipeline_id: null,
  additional_data: null,
};
const COLUMNS = Object.keys(EMPTY) as (keyof ModificationRow)[];
