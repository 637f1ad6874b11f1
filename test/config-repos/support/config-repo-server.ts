// A server with config repos on real repositories, and requests about them.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { HealthMessage } from '../../../src/health/messages.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { accepted } from '../../support/requests/callers.ts';
import { healthOf } from '../../support/server/health.ts';
import type { Reply } from '../../support/server/server.ts';

export const PATH = '/api/admin/config_repos';
export const CONFIRM = { headers: { 'X-Svc-Confirm': 'true' } };
export const ALLOW_ALL = [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }];
const TRY_MS = 25;

export interface Asks {
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  put(path: string, body: unknown, etag?: string): Promise<Reply>;
  ask(method: string, path: string, ask?: object): Promise<Reply>;
}

export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(TRY_MS)) {
    const found = await look();
    if (found) return found;
  }
  assert.fail(`${what} has not come`);
}

/** Pipelines as a YAML file; each may come after another one. */
export function yaml(group: string, pipelines: Readonly<Record<string, string | undefined>>, more = ''): string {
  const lines = Object.entries(pipelines).flatMap(([name, upstream]) => [
    `  ${name}:`,
    `    group: ${group}`,
    '    materials:',
    ...(upstream
      ? ['      up:', `        pipeline: ${upstream}`, '        stage: s']
      : ['      code:', `        git: https://scm.example.org/${name}.git`]),
    '    stages:',
    '      - s:',
    '          jobs:',
    '            j:',
    '              tasks:',
    '                - exec:',
    '                    command: make',
  ]);
  return ['format_version: 10', 'pipelines:', ...lines, more, ''].join('\n');
}

export class ConfigRepoServer {
  readonly server: Asks;

  constructor(server: Asks) {
    this.server = server;
  }

  body(id: string, url: string, { type = 'git', rules = ALLOW_ALL, ...more }: { type?: string; rules?: readonly object[] } & object = {}) {
    const attributes = { url, ...(type === 'git' && { branch: 'main' }), auto_update: false };
    return { id, plugin_id: 'yaml.config.plugin', material: { type, attributes }, rules, ...more };
  }

  async add(id: string, url: string, more: object = {}): Promise<void> {
    accepted(await this.server.post(PATH, this.body(id, url, more)));
    await this.rest(id);
  }

  async change(id: string, url: string, more: object = {}): Promise<void> {
    accepted(await this.server.put(`${PATH}/${id}`, this.body(id, url, more), '*'));
    await this.rest(id);
  }

  async remove(id: string): Promise<void> {
    accepted(await this.server.ask('DELETE', `${PATH}/${id}`));
  }

  trigger(id: string): Promise<Reply> {
    return this.server.ask('POST', `${PATH}/${id}/trigger_update`, CONFIRM);
  }

  async update(id: string): Promise<void> {
    const reply = await this.trigger(id);
    assert.equal(reply.status, 201, reply.text);
    await this.rest(id);
  }

  async isUpdating(id: string): Promise<boolean> {
    return accepted(await this.server.get(`${PATH}/${id}/status`)).json.in_progress;
  }

  async rest(id: string): Promise<void> {
    await until(`the end of the update of ${id}`, async () => !(await this.isUpdating(id)));
  }

  /** Pipelines as `group/name`, and environments. */
  async definitions(id: string): Promise<string[]> {
    const { environments, groups } = accepted(await this.server.get(`${PATH}/${id}/definitions`)).json;
    return [
      ...groups.flatMap(({ name, pipelines }: { name: string; pipelines: { name: string }[] }) =>
        pipelines.map((one) => `${name}/${one.name}`),
      ),
      ...environments.map(({ name }: { name: string }) => name),
    ];
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async parses(id: string): Promise<any[]> {
    return accepted(await this.server.get(`${PATH}/${id}/parses`)).json._embedded.parses;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async listed(id: string): Promise<any> {
    const { json } = accepted(await this.server.get('/api/internal/config_repos'));
    return json._embedded.config_repos.find((repo: { id: string }) => repo.id === id);
  }

  health(): Promise<HealthMessage[]> {
    return healthOf(this.server);
  }
}
