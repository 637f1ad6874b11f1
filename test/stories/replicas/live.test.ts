// Pages listen at any of several servers: they hear of changes at the others, and come back when the keeper is lost.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StreamReader } from '../../events/stream-reader.ts';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import type { Replica } from '../../support/server/replica.ts';
import { ENVIRONMENTS, Replicas } from '../../support/server/replicas.ts';
import { until } from '../../support/until.ts';

let postgres: Postgres;
let replicas: Replicas;
const readers: StreamReader[] = [];

before(async () => {
  postgres = await startPostgres();
  replicas = await Replicas.start(await postgres.createDatabase(), 2);
});
after(async () => {
  for (const reader of readers) reader.close();
  await replicas?.stop();
  await postgres?.stop();
});

async function follow({ url, as }: Replica, headers: Readonly<Record<string, string>> = {}): Promise<StreamReader> {
  const reader = await StreamReader.open(`${url}/api/live?topics=config`, { Authorization: as, ...headers });
  readers.push(reader);
  return reader;
}

const names = ({ events }: StreamReader) => events.map(({ data }) => data.name);

test('a change on one server is heard of on all, and none is missed when the keeper is lost', async () => {
  const keeper = (await replicas.keeper())!;
  const other = replicas.all.find((replica) => replica !== keeper)!;
  const [near, far] = [await follow(keeper), await follow(other)];
  for (const [index, replica] of [keeper, other].entries())
    assert.equal((await replica.post(ENVIRONMENTS, { name: `made-${index}` })).status, 200);
  for (const reader of [near, far]) await reader.until(() => names(reader).includes('made-0') && names(reader).includes('made-1'));
  const { id } = far.events.at(-1)!;
  await keeper.kill();
  await until('the end of the stream', async () => far.response.destroyed || far.hasEnded);
  const again = await until('a new keeper', async () => {
    const reader = await follow(other, { 'Last-Event-ID': id });
    return reader.response.statusCode === 200 ? reader : undefined;
  });
  await again.got(1);
  assert.equal(again.types[0], 'reload');
  assert.equal((await other.post(ENVIRONMENTS, { name: 'made-after' })).status, 200);
  await again.until(() => names(again).includes('made-after'));
});
