// Names of files that no header, archive or file system takes for something else.

const MAX_NAME_LENGTH = 200;

/** A safe name stays unchanged. */
export function safeFileName(name: string): string {
  const safe = name
    .slice(-MAX_NAME_LENGTH)
    .replaceAll(/[^\w. -]/g, '_')
    .replace(/^[. ]+/, '_');
  return safe === '' ? '_' : safe;
}
