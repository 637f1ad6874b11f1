// Which form of a file a client takes.
import type { Encoding, PageFile } from './page-files.ts';

export interface Form {
  readonly encoding: Encoding | undefined;
  readonly bytes: Buffer;
  /** Of this form: another one has other bytes. */
  readonly etag: string;
}

/** Smallest first. */
const ORDER: readonly Encoding[] = ['br', 'gzip'];

export function formFor({ etag, plain, packed }: PageFile, acceptEncoding: string | undefined): Form {
  const taken = takenBy(acceptEncoding ?? '');
  for (const encoding of ORDER) {
    const bytes = packed[encoding];
    if (bytes && taken(encoding)) return { encoding, bytes, etag: `${etag}-${encoding}` };
  }
  return { encoding: undefined, bytes: plain, etag };
}

function takenBy(header: string): (encoding: Encoding) => boolean {
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
        const weight = parameters.map((parameter) => /^q=([\d.]+)$/.exec(parameter)?.[1]).find((found) => found !== undefined);
        return [name, weight === undefined ? 1 : Number(weight)];
      }),
  );
  return (encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0;
}
