// Waits until a server does the background work of its database: after a kill the one before has it for some seconds more.
import { isEmbedded } from '../database/database.ts';
import { rowsIn } from '../database/sql.ts';
import { until } from '../until.ts';

export async function untilKeeper(dataDir: string, server: { readonly url: string }): Promise<void> {
  if (isEmbedded) return;
  const sql = "select url from replicas join leases on holder = id where name = 'keeper'";
  const { port } = new URL(server.url);
  await until('the background work', async () => (await rowsIn(dataDir, sql)).some(({ url }) => new URL(String(url)).port === port));
}
