// Facts by which the content of two databases can be compared, also of different engines.
import { createHash } from 'node:crypto';

export interface DatabaseFacts {
  readonly schema: number;
  readonly revision: number;
  /** How many rows each table has. */
  readonly tables: Readonly<Record<string, number>>;
  /** One digest of the ETags of all entities. */
  readonly etags: string;
}

/** Takes ETags in the order of kind and key. */
export function etagDigest(): { add(kind: string, key: string, etag: string): void; digest(): string } {
  const hash = createHash('sha256');
  return {
    add: (kind, key, etag) => {
      hash.update(JSON.stringify([kind, key, etag]));
    },
    digest: () => hash.digest('hex'),
  };
}

/** The differences, in words. */
export function countDifferences(found: Omit<DatabaseFacts, 'etags'>, wanted: Omit<DatabaseFacts, 'etags'>): string[] {
  const names = [...new Set([...Object.keys(wanted.tables), ...Object.keys(found.tables)])];
  return [
    ...(found.schema === wanted.schema ? [] : [`the schema is ${found.schema} instead of ${wanted.schema}`]),
    ...(found.revision === wanted.revision ? [] : [`the last revision is ${found.revision} instead of ${wanted.revision}`]),
    ...names.flatMap((name) => {
      const [is, was] = [found.tables[name], wanted.tables[name]];
      return is === was ? [] : [`the table ${name} has ${is ?? 'no'} rows instead of ${was ?? 'none'}`];
    }),
  ];
}
