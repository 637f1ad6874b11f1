// A server with a run whose job has artifacts, and users with and without rights.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { RunLab, stage } from '../builds/run-lab.ts';
import { changeRows, rowsIn } from '../support/database/sql.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic } from '../support/server/server.ts';

export interface Got {
  readonly status: number;
  readonly text: string;
  readonly bytes: Buffer;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

type Body = NonNullable<RequestInit['body']>;

export interface Asked {
  readonly as?: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
}

export const JOB = '/files/web/1/test/1/unit';
export const LOCATOR = 'web/1/test/1/unit';

export class ArtifactLab {
  runs!: RunLab;
  viewer!: string;
  operator!: string;
  stranger!: string;
  jobId!: number;

  static async start(options: Readonly<Record<string, string>> = {}): Promise<ArtifactLab> {
    const lab = new ArtifactLab();
    lab.runs = await RunLab.start(options);
    const { server } = lab.runs;
    lab.viewer = await addUser(server, 'vera');
    lab.operator = await addUser(server, 'olaf');
    lab.stranger = await addUser(server, 'eve');
    const authorization = { view: { users: ['vera', 'olaf'], roles: [] }, operate: { users: ['olaf'], roles: [] } };
    accepted(await server.post('/api/admin/pipeline_groups', { name: 'shop', authorization }));
    await lab.runs.pipeline('web', { stages: [stage('test')] });
    await lab.runs.poll();
    await lab.runs.run('web', 1);
    const [row] = await rowsIn(server.dataDir, 'select id from jobs order by id desc limit 1');
    lab.jobId = Number(row!.id);
    return lab;
  }

  get dataDir(): string {
    return this.runs.server.dataDir;
  }

  /** The folder of the files of the job. */
  get folder(): string {
    return join(this.dataDir, 'artifacts/pipelines', LOCATOR);
  }

  stop(): Promise<void> {
    return this.runs.stop();
  }

  async ask(path: string, { as = basic('admin', ADMIN_PASSWORD), method = 'GET', headers = {}, body }: Asked = {}): Promise<Got> {
    const sent = { method, headers: { Authorization: as, ...headers }, ...(body !== undefined && { body }), redirect: 'manual' } as const;
    const answer = await fetch(this.runs.server.url + path, sent);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
    return { status: answer.status, text, bytes, headers: answer.headers, json: isJson ? JSON.parse(text) : undefined };
  }

  /** Sends a form. */
  post(path: string, parts: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>, asked: Asked = {}): Promise<Got> {
    const form = new FormData();
    for (const [name, content] of Object.entries(parts))
      form.append(name, name === 'file_checksum' ? String(content) : new Blob([content]), ...(name === 'file_checksum' ? [] : ['sent']));
    return this.ask(`${JOB}/${path}`, { method: 'POST', body: form, ...asked, headers: { 'X-Svc-Confirm': 'true', ...asked.headers } });
  }

  put(path: string, body: Body, asked: Asked = {}): Promise<Got> {
    return this.ask(`${JOB}/${path}`, { method: 'PUT', body, ...asked });
  }

  /** Brings files that must be taken. */
  async publishFiles(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const { status, text } = await this.post(path.split('/').map(encodeURIComponent).join('/'), { file: content });
      assert.equal(status, 201, text);
    }
  }

  rows() {
    return rowsIn(this.dataDir, 'select path, bytes, sha256, md5 from artifacts where job_id = ? order by path', this.jobId);
  }

  change(sql: string, ...values: (string | number)[]): Promise<void> {
    return changeRows(this.dataDir, sql, ...values);
  }
}

export function message({ status, json }: Got): readonly [number, string | undefined] {
  return [status, json?.message];
}
