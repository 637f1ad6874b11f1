// A path as it stands in an address: each of its names is encoded, its slashes are not.

export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
