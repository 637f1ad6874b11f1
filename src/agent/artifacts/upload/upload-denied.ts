// The message of an upload that the server has no room for.

/** As GoCD says it. */
export function uploadDenied(file: string, bytes: number): string {
  return `Artifact upload for file ${file} (Size: ${bytes}) was denied by the server. This usually happens when server runs out of disk space.`;
}
