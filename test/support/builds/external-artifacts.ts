// The parts of an agent that external artifacts need, with folders of a test.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type FetchExternalTask,
  fetchExternal,
  type PublishedArtifact,
  publishExternal,
} from '../../../src/agent/artifacts/external/external.ts';
import { ExternalFailure, type SourceFile } from '../../../src/agent/artifacts/external/parts.ts';
import type { WorkSetting } from '../../../src/contracts/agent-protocol/work.ts';

const FROM = { pipeline: 'up', pipeline_counter: 3, stage: 'dist', stage_counter: 1, job: 'pack' };

export function settings(values: Readonly<Record<string, string>>, secret: readonly string[] = []): readonly WorkSetting[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, is_secret: secret.includes(key) }));
}

export class ExternalLab {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-external-'));
  readonly pipelineFolder = join(this.folder, 'pipeline');
  readonly privateFolder = join(this.folder, 'private');
  readonly abort = new AbortController();
  readonly signal = this.abort.signal;
  readonly output: string[] = [];
  readonly complaints: string[] = [];
  readonly variables = new Map<string, string>();
  readonly metadata = new Map<string, string>();
  environment: Record<string, string> = { GO_PIPELINE_LABEL: '1.7', TOKEN: 'hush-hush' };

  constructor(context: TestContext) {
    for (const folder of [this.pipelineFolder, this.privateFolder]) mkdirSync(folder);
    context.after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  write(path: string, content: string | Buffer): string {
    const file = join(this.pipelineFolder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  publish(...artifacts: readonly PublishedArtifact[]): Promise<readonly string[]> {
    return publishExternal(artifacts, {
      ...this.#common,
      isSecret: (name) => name === 'TOKEN',
      files: (source) => this.#files(source),
      publishMetadata: async (path, bytes) => void this.metadata.set(path, bytes.toString('utf8')),
    });
  }

  fetch(task: Pick<FetchExternalTask, 'artifact' | 'plugin' | 'store' | 'configuration'>): Promise<void> {
    return fetchExternal(
      { type: 'fetch_external', id: 0, from: FROM, ...task },
      {
        ...this.#common,
        target: (destination, path) => {
          const file = join(this.pipelineFolder, destination, path);
          mkdirSync(dirname(file), { recursive: true });
          return file;
        },
        setVariable: (name, value) => void this.variables.set(name, value),
        readMetadata: async (name) => {
          const text = this.metadata.get(`pluggable-artifact-metadata/${name}`);
          return text === undefined ? undefined : Buffer.from(text);
        },
      },
    );
  }

  get #common() {
    const { pipelineFolder, privateFolder, environment, signal } = this;
    const [out, err] = [(line: string) => void this.output.push(line), (line: string) => void this.complaints.push(line)];
    return { pipelineFolder, privateFolder, environment, signal, out, err };
  }

  /** A file, or all that is in a folder. */
  async *#files(source: string): AsyncGenerator<SourceFile> {
    const start = join(this.pipelineFolder, source);
    if (!existsSync(start)) throw new ExternalFailure(`Failed to find ${source}`);
    if (statSync(start).isFile()) {
      yield { real: start, name: source, path: basename(source) };
      return;
    }
    for (const one of readdirSync(start, { recursive: true, withFileTypes: true })) {
      const real = join(one.parentPath, one.name);
      if (one.isFile()) yield { real, name: real, path: `${basename(source)}${real.slice(start.length)}` };
    }
  }
}
