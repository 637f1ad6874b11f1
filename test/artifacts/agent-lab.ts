// Agents that send and fetch artifacts over real connections to a whole server.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ArtifactFile } from '../../src/contracts/agent-protocol/messages.ts';
import type { Work } from '../../src/contracts/agent-protocol/work.ts';
import { TAR_END, tarHead, tarTail } from '../../src/kit/tar/write.ts';
import { BuildLab, git, type JsonBody, job, stage } from '../builds/engine/lab.ts';
import type { FakeAgent } from '../support/builds/fake-agent.ts';
import { factsOf } from './publication-lab.ts';

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface Sent {
  readonly as?: FakeAgent;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class AgentLab {
  readonly builds: BuildLab;
  readonly agent: FakeAgent;

  private constructor(builds: BuildLab, agent: FakeAgent) {
    this.builds = builds;
    this.agent = agent;
  }

  static async start(options: Readonly<Record<string, string>> = {}): Promise<AgentLab> {
    const builds = await BuildLab.start(options);
    return new AgentLab(builds, await builds.agent());
  }

  stop(): Promise<void> {
    return this.builds.stop();
  }

  get root(): string {
    return join(this.builds.server.dataDir, 'artifacts');
  }

  /** A job that the agent works on, of a pipeline of its own. */
  async work(stages: readonly JsonBody[] = [stage('build', { jobs: [job()] })], name = `p-${randomUUID().slice(0, 8)}`): Promise<Work> {
    const origin = await this.builds.origin(name);
    await this.builds.pipeline(name, { materials: [git(origin)], stages });
    await this.builds.poll(name);
    await this.builds.run(name, 1);
    return this.take();
  }

  async take(): Promise<Work> {
    const work = await this.agent.take();
    await this.agent.begin(work);
    return work;
  }

  async ask(method: string, path: string, { as = this.agent, body = '', headers = {} }: Sent = {}): Promise<Heard> {
    const bytes = Buffer.from(body);
    const sending = request(this.builds.server.url + path, {
      method,
      headers: { Authorization: as.authorization, 'Content-Length': bytes.length, ...headers },
    });
    sending.end(bytes);
    const [answer] = await once(sending, 'response');
    const content = await buffer(answer);
    const isJson = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, headers: answer.headers, body: content, json: isJson ? JSON.parse(content.toString()) : undefined };
  }

  file(work: Work, path: string, offset = 0, epoch = work.epoch): string {
    return `/agent/v1/jobs/${work.job}/artifacts/file?${new URLSearchParams({ epoch: String(epoch), path, offset: String(offset) })}`;
  }

  send(work: Work, path: string, body: string | Buffer, { offset = 0, ...more }: Sent & { offset?: number } = {}): Promise<Heard> {
    return this.ask('PUT', this.file(work, path, offset), { body, ...more });
  }

  sendAll(work: Work, archive: Buffer, more: Sent = {}): Promise<Heard> {
    return this.ask('PUT', `/agent/v1/jobs/${work.job}/artifacts/archive?epoch=${work.epoch}`, { body: archive, ...more });
  }

  publish(
    work: Work,
    files: readonly ArtifactFile[],
    { folders = [] as string[], epoch = work.epoch, as = this.agent } = {},
  ): Promise<Heard> {
    const body = JSON.stringify({ instance: as.instance, epoch, type: 'build', files, folders });
    return this.ask('POST', `/agent/v1/jobs/${work.job}/artifacts/publication?epoch=${epoch}`, {
      as,
      body,
      headers: { 'Content-Type': 'application/json' },
    });
  }

  /** Sends files and publishes them. */
  async leave(work: Work, files: Readonly<Record<string, string>>, folders: string[] = []): Promise<Heard> {
    await this.sendAll(work, tarOf(files));
    return this.publish(
      work,
      Object.entries(files).map(([path, content]) => factsOf(path, content)),
      { folders },
    );
  }

  /** Sends the beginning of a file as if there came more, and then cuts the connection; or keeps it for `meanwhile`. */
  async sendPart(work: Work, path: string, content: string, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const sending = request(this.builds.server.url + this.file(work, path), {
      method: 'PUT',
      headers: { Authorization: this.agent.authorization, 'Content-Length': content.length + 1000 },
    });
    sending.on('error', () => {}); // it is cut off on purpose
    const closed = new Promise((resolve) => sending.once('close', resolve));
    sending.write(content);
    await meanwhile();
    sending.destroy();
    await closed;
  }

  fetch(work: Work, id: number, what: string, query: Readonly<Record<string, string>> = {}, more: Sent = {}): Promise<Heard> {
    const wanted = new URLSearchParams({ epoch: String(work.epoch), ...query });
    return this.ask('GET', `/agent/v1/jobs/${work.job}/fetches/${id}/${what}?${wanted}`, more);
  }

  folder({ locator: { pipeline, pipeline_counter, stage: name, stage_counter, job: jobName } }: Work): string {
    return join(this.root, 'pipelines', pipeline, String(pipeline_counter), name, String(stage_counter), jobName);
  }

  published(work: Work, path: string): string | undefined {
    const file = join(this.folder(work), path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  async rows(work: Work): Promise<string[]> {
    return (await this.builds.parts.builds.artifacts.rows.page(work.job, {}, 1000)).map(({ path }) => path);
  }
}

export function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [tarHead({ path, bytes: bytes.length }), bytes, tarTail(bytes.length)];
  });
  return Buffer.concat([...entries, TAR_END]);
}
