// Addresses in messages, without any part that may be a password.

/** May hide more of an address than its credentials: a part that is hidden by mistake does no harm. */
export function masked(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const start = address.indexOf(':') + 1;
  const end = address.lastIndexOf('@');
  if (start === 0 || end <= start) return address;
  const slashes = /^\/*/.exec(address.slice(start))![0];
  return `${address.slice(0, start)}${slashes}******${address.slice(end)}`;
}
