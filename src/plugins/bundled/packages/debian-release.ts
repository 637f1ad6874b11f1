// Reads the Release file of a Debian archive, plain or inside a signature.

export interface Release {
  readonly date: Date | undefined;
  readonly components: readonly string[];
  readonly architectures: readonly string[];
  /** Files can be asked for by their checksum, so that an update of the archive comes between nothing. */
  readonly isByHash: boolean;
  /** Packages for all architectures are in the index of each, whether or not they have one of their own. */
  readonly repeatsArchitectureAll: boolean;
  /** The indexes, by their path. */
  readonly files: ReadonlyMap<string, { readonly sha256: string; readonly size: number }>;
}

export function readRelease(text: string): Release {
  const fields = fieldsOf(unsigned(text));
  const words = (name: string) => (fields.get(name) ?? '').split(/\s+/).filter((word) => word !== '');
  const date = new Date(fields.get('date') ?? Number.NaN);
  return {
    date: Number.isNaN(date.getTime()) ? undefined : date,
    // Some archives name their components with the path of the suite before them.
    components: words('components').map((component) => component.split('/').at(-1)!),
    architectures: words('architectures'),
    isByHash: /^(?:yes|true|on|with|enable|1)$/i.test(fields.get('acquire-by-hash') ?? ''),
    repeatsArchitectureAll: words('no-support-for-architecture-all').includes('Packages'),
    files: new Map(
      (fields.get('sha256') ?? '').split('\n').flatMap((line) => {
        const [, sha256, size, path] = /^\s*([0-9a-f]{64})\s+(\d+)\s+(\S+)\s*$/.exec(line) ?? [];
        return path === undefined ? [] : [[path, { sha256: sha256!, size: Number(size) }] as const];
      }),
    ),
  };
}

/** Fields in the format of Debian control files, by their names in lower case: further lines of a field begin with white space. */
export function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let name = '';
  for (const line of text.split(/\r?\n/)) {
    const [, found, value] = /^([^\s:]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (found !== undefined) fields.set((name = found.toLowerCase()), value!.trimEnd());
    else if (/^\s+\S/.test(line) && name !== '') fields.set(name, `${fields.get(name)}\n${line}`);
  }
  return fields;
}

const SIGNED = '-----BEGIN PGP SIGNED MESSAGE-----';
const SIGNATURE = '-----BEGIN PGP SIGNATURE-----';

/** The text inside a signature, which begins after the first blank line (RFC 9580, 7). */
function unsigned(text: string): string {
  const lines = text.split(/\r?\n/);
  const start = lines.indexOf(SIGNED);
  if (start < 0) return text;
  const blank = lines.findIndex((line, index) => index > start && line.trim() === '');
  const end = lines.indexOf(SIGNATURE, start);
  return lines
    .slice(blank + 1, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^- /, ''))
    .join('\n');
}
