// Small bodies of pipelines from which tests make the ones they need, and the errors of an answer by their place.
import assert from 'node:assert/strict';
import type { Reply, TestServer } from '../../support/server/server.ts';

export const PATH = '/api/admin/pipelines';
export const NAME_RULE =
  'This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.';

export const exec = (more: object = {}) => ({ type: 'exec', attributes: { command: 'make', ...more } });
export const job = (more: object = {}) => ({ name: 'j', tasks: [exec()], ...more });
export const stage = (name = 's', more: object = {}) => ({ name, jobs: [job()], ...more });
export const git = (more: object = {}) => ({ type: 'git', attributes: { url: 'https://scm.example.org/a.git', ...more } });
export const dependency = (pipeline: string, upstream = 's', more: object = {}) => ({
  type: 'dependency',
  attributes: { pipeline, stage: upstream, ...more },
});
export const fetch = (more: object) => ({ type: 'fetch', attributes: { stage: 's', job: 'j', source: 'out', ...more } });
export const external = (more: object = {}) => ({ type: 'external', artifact_id: 'image', store_id: 'store', ...more });

export type Body = Record<string, unknown> & { readonly name: string };

export function pipeline(name: string, more: object = {}): Body {
  return { name, materials: [git({ url: `https://scm.example.org/${name}.git` })], stages: [stage()], ...more };
}

export function create(server: TestServer, body: Body, group = 'g'): Promise<Reply> {
  return server.post(PATH, { group, pipeline: body });
}

/** One of each thing that pipelines can name: `store`, `repo` with `pkg`, `scm-id` called `tools`, `cluster` with `profile`. */
export async function addNeighbours(server: TestServer): Promise<void> {
  const plugin_metadata = { id: 'com.example.plugin', version: '1' };
  for (const [path, body] of [
    ['/api/admin/artifact_stores', { id: 'store', plugin_id: 'com.example.store' }],
    ['/api/admin/repositories', { repo_id: 'repo', name: 'repo', plugin_metadata, configuration: [] }],
    ['/api/admin/packages', { id: 'pkg', name: 'pkg', package_repo: { id: 'repo' }, configuration: [] }],
    ['/api/admin/scms', { id: 'scm-id', name: 'tools', plugin_metadata, configuration: [] }],
    ['/api/admin/elastic/cluster_profiles', { id: 'cluster', plugin_id: 'com.example.cluster' }],
    ['/api/elastic/profiles', { id: 'profile', cluster_profile_id: 'cluster' }],
  ] as const) {
    const reply = await server.post(path, body);
    assert.equal(reply.status, 200, reply.text);
  }
}

/** The verdict on a creation, without the creation: one that is wrongly accepted does not stand in the way of the next. */
export function tryOut(server: TestServer, body: Body, group = 'g'): Promise<Reply> {
  return server.post(`${PATH}?dry_run=true`, { group, pipeline: body });
}

export function replace(server: TestServer, body: Body, group = 'g'): Promise<Reply> {
  return server.put(`${PATH}/${body.name}`, { group, ...body }, '*');
}

export async function removeAll(server: TestServer): Promise<void> {
  const environments = (await server.get('/api/admin/environments')).json._embedded.environments;
  for (const { name } of environments) await server.delete(`/api/admin/environments/${name}`);
  for (;;) {
    const groups: { pipelines: { name: string }[] }[] = (await server.get(PATH)).json._embedded.groups;
    const names = groups.flatMap((group) => group.pipelines.map((one) => one.name));
    if (names.length === 0) return;
    // Downstream pipelines go before those they depend on.
    const statuses = await Promise.all(names.map(async (name) => (await server.delete(`${PATH}/${name}`)).status));
    assert.ok(statuses.includes(200), `cannot delete any of ${names.join(', ')}`);
  }
}

/** All errors in the `data` of an answer: the path to the field → the messages beside it. */
export function errorsIn(value: unknown, path: readonly string[] = []): Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return {};
  const found: Record<string, string[]> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === 'errors' && !Array.isArray(value)) {
      for (const [field, messages] of Object.entries(member as Record<string, string[]>)) found[[...path, field].join('.')] = messages;
    } else Object.assign(found, errorsIn(member, [...path, key]));
  }
  return found;
}

/** Refused, with exactly these errors beside the fields. */
export function refused(reply: Reply, errors: Readonly<Record<string, readonly string[]>>): void {
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(errorsIn(reply.json.data), errors, reply.text);
}

/** Refused, with this one among the errors. */
export function refusedAt(reply: Reply, path: string, message: string): void {
  assert.equal(reply.status, 422, reply.text);
  const errors = errorsIn(reply.json.data);
  assert.ok(errors[path]?.includes(message), `${path} should say:\n${message}\nbut there is:\n${JSON.stringify(errors, null, 1)}`);
}
