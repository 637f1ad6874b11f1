// Names of files that no header, archive or file system takes for something else.

const LONGEST = 200;

/** A safe name stays unchanged. */
export function safeFileName(name: string): string {
  const safe = name
    .slice(-LONGEST)
    .replaceAll(/[^\w. -]/g, '_')
    .replace(/^[. ]+/, '_');
  return safe === '' ? '_' : safe;
}
