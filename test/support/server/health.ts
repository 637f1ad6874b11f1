// The health messages of a test server.
import type { HealthMessage } from '../../../src/health/messages.ts';
import { accepted } from '../requests/callers.ts';
import type { Reply } from './server.ts';

/** All but the warnings about weak hashes: those of the tests' own logins are weak, because they are checked often. */
export async function healthOf(server: { get(path: string): Promise<Reply> }): Promise<HealthMessage[]> {
  const all = accepted(await server.get('/api/server_health_messages')).json as HealthMessage[];
  return all.filter(({ message }) => !message.endsWith('has weak hashes'));
}
