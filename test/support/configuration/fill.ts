// Adds one entity of every resource to a server.
import { accepted } from '../requests/callers.ts';
import type { TestServer } from '../server/server.ts';
import { kinds } from './samples.ts';

/** All are called `sample`. */
export async function addSamples(target: TestServer): Promise<void> {
  const needed = new Set<string>();
  for (const kind of kinds) {
    for (const [path, body] of Object.entries(kind.sample.needs ?? {})) {
      if (!needed.has(path)) accepted(await target.post(path, body));
      needed.add(path);
    }
    const body = kind.sample.body(1);
    const sent = kind.sample.wrap?.(body) ?? body;
    accepted(kind.shape === 'collection' ? await target.post(kind.path, sent) : await target.put(kind.path, sent, '*'));
  }
}
