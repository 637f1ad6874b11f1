// Links of endpoints that are not resources.
import type { JsonOut } from '../../../shape/json/json.ts';

export function links(base: string, addresses: Readonly<Record<string, string>>): JsonOut {
  return Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, { href: base + address }]));
}

export const docLink = (anchor: string): string => `/api/docs#${anchor}`;
