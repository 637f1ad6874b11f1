// JSON pointers (RFC 6901).

export function step(pointer: string, to: string | number): string {
  return `${pointer}/${String(to).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
}
