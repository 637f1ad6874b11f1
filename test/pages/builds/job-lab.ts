// The output of jobs, as an agent would send it: a console, artifacts, reports of tests.
import assert from 'node:assert/strict';
import type { Work } from '../../../src/contracts/agent-protocol/work.ts';
import { factsOf } from '../../artifacts/publication-lab.ts';
import { FakeAgent } from '../../support/builds/fake-agent.ts';
import type { BrowserLab } from '../browser-lab.ts';

export async function agentOf(lab: BrowserLab, more: { readonly hostname?: string } = {}): Promise<FakeAgent> {
  const { auto_register_key: key } = (await lab.builds.get('/api/admin/agent_registration')).json;
  return FakeAgent.start({ url: lab.url, key, ...more });
}

/** Takes the next job, which builds from then on. */
export async function begin(agent: FakeAgent): Promise<Work> {
  const work = await agent.take();
  await agent.begin(work);
  return work;
}

export async function leave(agent: FakeAgent, work: Work, type: 'build' | 'test', files: Readonly<Record<string, string>>): Promise<void> {
  const { job, epoch } = work;
  for (const [path, content] of Object.entries(files)) {
    const query = new URLSearchParams({ epoch: String(epoch), path, offset: '0' });
    const sent = await agent.send('PUT', `/agent/v1/jobs/${job}/artifacts/file?${query}`, content);
    assert.equal(Math.floor(sent.status / 100), 2, sent.text);
  }
  const body = {
    instance: agent.instance,
    epoch,
    type,
    files: Object.entries(files).map(([path, content]) => factsOf(path, content)),
    folders: [],
  };
  const published = await agent.send('POST', `/agent/v1/jobs/${job}/artifacts/publication?epoch=${epoch}`, body);
  assert.equal(published.status, 200, published.text);
}
