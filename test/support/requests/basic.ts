// The header of a login with a password. Apart from the test server: tests that only talk to another process need not load that.

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
