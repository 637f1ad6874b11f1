// How this machine is called in mails to administrators.
import { hostname, networkInterfaces } from 'node:os';

export interface Machine {
  readonly hostName: string;
  /** The first address that others can reach. */
  readonly ip: string;
}

export function thisMachine(): Machine {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const reachable = addresses.filter(({ internal }) => !internal);
  const first = reachable.find(({ family }) => family === 'IPv4') ?? reachable[0];
  return { hostName: hostname(), ip: first?.address ?? '127.0.0.1' };
}
