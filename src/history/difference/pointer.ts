// JSON pointers (RFC 6901).

export function step(pointer: string, to: string | number): string {
  return `${pointer}/${String(to).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
