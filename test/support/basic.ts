// The header of somebody who logs in with a password. Apart from the test server: who only talks to another process need not load it.

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
