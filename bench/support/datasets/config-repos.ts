// Config repos with files of one pipeline each, and a server that reads them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lab } from '../lab.ts';
import type { Program } from '../process.ts';
import { GIT_ENVIRONMENT } from './git-repositories.ts';

const PATH = '/api/admin/config_repos';
const CHECK_EVERY_MS = 10;

export class ConfigRepo {
  readonly id: string;
  readonly #path: string;

  constructor(id: string, path: string, files: number) {
    this.id = id;
    this.#path = path;
    mkdirSync(path, { recursive: true });
    this.#git('init', '--quiet', '--initial-branch=main', '.');
    for (let number = 0; number < files; number++) this.#write(number, 'make');
    this.#commit();
  }

  /** Changes one file, and only that. */
  change(number: number, command: string): void {
    this.#write(number, command);
    this.#commit();
  }

  async add(server: Program, lab: Lab): Promise<void> {
    const material = { type: 'git', attributes: { url: this.#path, branch: 'main', auto_update: false } };
    const rules = [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }];
    await send(server, lab, 'POST', PATH, { id: this.id, plugin_id: 'yaml.config.plugin', material, rules });
  }

  async trigger(server: Program, lab: Lab): Promise<void> {
    await send(server, lab, 'POST', `${PATH}/${this.id}/trigger_update`);
  }

  async ended(server: Program, lab: Lab, checkEveryMs = CHECK_EVERY_MS): Promise<void> {
    const status = async () => (await send(server, lab, 'GET', `${PATH}/${this.id}/status`)) as { in_progress: boolean };
    while ((await status()).in_progress) await delay(checkEveryMs);
  }

  /** How long the last attempt took, without the fetch before it. */
  async lastMs(server: Program, lab: Lab): Promise<number> {
    const answer = (await send(server, lab, 'GET', `${PATH}/${this.id}/parses?page_size=1`)) as {
      _embedded: { parses: [{ outcome: string; duration_ms: number }] };
    };
    const [{ outcome, duration_ms: duration }] = answer._embedded.parses;
    if (outcome !== 'published') throw new Error(`The config repo ${this.id} is ${outcome}.`);
    return duration;
  }

  #write(number: number, command: string): void {
    const name = `${this.id}-${number}`;
    const text = `format_version: 10
pipelines:
  ${name}:
    group: ${this.id}
    materials:
      code:
        git: https://scm.example.org/${name}.git
        branch: main
    stages:
      - build:
          jobs:
            compile:
              timeout: 20
              environment_variables:
                LEVEL: "3"
              tasks:
                - exec:
                    command: ${command}
                    arguments: [all, -j4]
`;
    writeFileSync(join(this.#path, `${number}.gocd.yaml`), text);
  }

  #commit(): void {
    this.#git('add', '--all');
    this.#git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--message=change');
  }

  #git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.#path, env: GIT_ENVIRONMENT, stdio: 'pipe' });
  }
}

async function send(server: Program, lab: Lab, method: string, path: string, body?: object): Promise<unknown> {
  const headers = {
    Accept: 'application/vnd.svc+json',
    Authorization: lab.basic,
    'X-Svc-Confirm': 'true',
    'Content-Type': 'application/json',
  };
  const answer = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
