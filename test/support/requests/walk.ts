// Walks everything a server shows: every list, and every object that its links lead to.
import type { TestServer } from '../server/server.ts';

/** The address that two servers behind the same proxy have. */
const BASE = 'https://cd.example.org';
const FORWARDED = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cd.example.org' };

/** The free space, which is that of the disk and of the moment. */
const FREE_SPACE = /"(?:disk_)?free_bytes":\d+/g;

/** Addresses whose answers count from the start of the server, show it, or have events that a backup or a move makes. */
export const OF_THIS_START: readonly string[] = [
  '/api/dashboard',
  '/api/dashboard/rows',
  '/api/live',
  '/cctray.xml',
  '/api/admin/support_bundle',
  '/api/admin/events/verification',
];

/** The answers to every GET, by path: status, ETag and body, without the free space. The server must trust its proxy. */
export async function everyGet(server: TestServer, isLeftOut: (path: string) => boolean): Promise<Map<string, string>> {
  const { json: api } = await server.get('/api/openapi.json');
  const paths = Object.keys(api.paths).filter((path) => api.paths[path].get && path.startsWith('/api/') && !path.includes('{'));
  const seen = new Map<string, string>();
  const waiting = paths.filter((path) => !isLeftOut(path));
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    const reply = await server.get(path, { headers: FORWARDED });
    seen.set(path, `${reply.status} ${reply.etag} ${reply.text.replaceAll(FREE_SPACE, '')}`);
    for (const link of linksIn(reply.json)) {
      const next = link.startsWith(BASE) ? link.slice(BASE.length) : '';
      if (next.startsWith('/api/') && !next.includes(':') && !next.includes('#') && !isLeftOut(next)) waiting.push(next);
    }
  }
  return seen;
}

function linksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === 'href' && typeof member === 'string' ? [member] : linksIn(member)));
}
