// Tests which repos are found to be needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdersNeeded, neededBy } from './needs.ts';

const pipeline = (name: string, ...upstream: readonly string[]) => ({
  name,
  body: { materials: upstream.map((one) => ({ type: 'dependency', attributes: { pipeline: one } })) },
});
type Definitions = Parameters<typeof neededBy>[0];
const definitions = (...pipelines: readonly object[]) => ({ pipelines, environments: [] }) as unknown as Definitions;

async function needed(own: Definitions, repos: Readonly<Record<string, Definitions>>, there: readonly string[] = []) {
  const holders = new Map(Object.entries(repos).flatMap(([repo, { pipelines }]) => pipelines.map(({ name }) => [name, repo] as const)));
  const found = await holdersNeeded(
    own,
    (name) => there.includes(name),
    holders,
    async (repo) => repos[repo],
  );
  return found?.map((one) => Object.entries(repos).find(([, other]) => other === one)![0]);
}

test('upstream pipelines and members of environments are needed', () => {
  const environments = [{ body: { pipelines: [{ name: 'C' }] } }];
  const own = { pipelines: [pipeline('a', 'B')], environments } as unknown as Definitions;
  assert.deepEqual([...neededBy(own)], ['b', 'c']);
});

test('nobody is needed for what is there, or defined here', async () => {
  assert.deepEqual(await needed(definitions(pipeline('a', 'b'), pipeline('b', 'c')), {}, ['c']), []);
});

test('those who bring it are, and those they need', async () => {
  const repos = { two: definitions(pipeline('b', 'a', 'c')), three: definitions(pipeline('c')), four: definitions(pipeline('d')) };
  assert.deepEqual(await needed(definitions(pipeline('a', 'b')), repos), ['two', 'three']);
});

test('nobody helps when something is nowhere', async () => {
  assert.equal(await needed(definitions(pipeline('a', 'b')), { two: definitions(pipeline('b', 'gone')) }), undefined);
  assert.equal(await needed(definitions(pipeline('a', 'gone')), {}), undefined);
});
