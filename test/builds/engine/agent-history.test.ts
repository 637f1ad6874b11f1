// The jobs of an agent, page by page: each once, in every sort order, also when jobs complete meanwhile.
import assert from 'node:assert/strict';
import { after as afterAll, before, test } from 'node:test';
import { SORT_COLUMNS } from '../../../src/builds/agents/agent-jobs.ts';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { accepted } from '../../support/requests/callers.ts';
import { BuildLab, git, job, stage } from './lab.ts';

const JOBS = 24;
const names = Array.from({ length: JOBS }, (_, index) => `job-${String(index).padStart(2, '0')}`);

let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
  const origin = await lab.origin('many');
  await lab.pipeline('many', { materials: [git(origin)], stages: [stage('build', { jobs: names.map((name) => job(name)) })] });
  await lab.poll('many');
  await lab.run('many', 1);
  for (const _ of names) await agent.complete(await agent.take());
  await lab.result('many', 1, 'build');
  // All at one moment: only the id distinguishes them.
  const { database } = lab.parts;
  await database.writeTransaction([database.query.updateTable('jobs').set({ completed_at: 2000, scheduled_at: 1000 }).compile()]);
});
afterAll(() => lab.stop());

interface Page {
  readonly jobs: readonly { readonly job_name: string }[];
  readonly _links: { readonly next?: { readonly href: string } };
  readonly pagination: { readonly total: number };
}

async function page(address: string): Promise<Page> {
  return accepted(await lab.server.get(address.replace(lab.server.url, ''))).json;
}

async function allPages(query: string, between: () => Promise<void> = async () => {}): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined = `/api/agents/${agent.uuid}/job_run_history?page_size=10&${query}`;
  while (next !== undefined) {
    const { jobs, _links }: Page = await page(next);
    found.push(...jobs.map(({ job_name: name }) => name));
    next = _links.next?.href;
    await between();
  }
  return found;
}

for (const column of SORT_COLUMNS)
  test(`each job is there once when sorted by ${column}, in both directions`, async () => {
    assert.deepEqual(await allPages(`sort_column=${column}&sort_order=asc`), names);
    assert.deepEqual(await allPages(`sort_column=${column}&sort_order=desc`), names.toReversed());
  });

test('pages by number are cut in the same order', async () => {
  const address = `/api/agents/${agent.uuid}/job_run_history?page_size=10&sort_column=result&offset=`;
  const pages = await Promise.all([0, 10, 20].map((offset) => page(address + offset)));
  assert.deepEqual(
    pages.flatMap(({ jobs }) => jobs.map(({ job_name: name }) => name)),
    names.toReversed(),
  );
  assert.equal(pages[2]!._links.next, undefined, 'there are no more');
});

test('jobs that complete meanwhile do not shift the pages', async () => {
  const origin = await lab.origin('later');
  await lab.pipeline('later', { materials: [git(origin)], stages: [stage('build', { jobs: names.map((name) => job(`new-${name}`)) })] });
  await lab.poll('later');
  await lab.run('later', 1);
  const found = await allPages('', async () => {
    await agent.complete(await agent.take());
  });
  assert.deepEqual(found, names.toReversed());
  assert.equal((await page(`/api/agents/${agent.uuid}/job_run_history`)).pagination.total, JOBS + 3);
});

test('a cursor that is none is refused', async () => {
  for (const cursor of ['0', 'x', '-1', '']) {
    const reply = await lab.server.get(`/api/agents/${agent.uuid}/job_run_history?after=${cursor}`);
    assert.deepEqual([reply.status, reply.json.message], [400, "The query parameter 'after', if specified, must be a positive integer."]);
  }
});
