// Joins external artifacts to a job: which files they are, where they go, and how the server keeps their metadata.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkArtifact } from '../../../contracts/agent-protocol/work.ts';
import { TAGS } from '../../console/tags.ts';
import { type ArtifactContext, ArtifactFailure } from '../context.ts';
import { Md5 } from '../digest/digests.ts';
import { download } from '../fetch/download.ts';
import { listOf } from '../fetch/list.ts';
import { Targets } from '../fetch/targets.ts';
import { LargeFiles } from '../files/large-file.ts';
import { matchesOf } from '../files/match.ts';
import { Search } from '../files/search.ts';
import { sourceOf } from '../files/source.ts';
import { filesOf } from '../files/walk.ts';
import { publish } from '../upload/publish.ts';
import { type FetchExternalTask, fetchExternal, publishExternal } from './external.ts';
import type { ExternalContext, SourceFile } from './parts.ts';

export interface ExternalJobContext extends Pick<ExternalContext, 'environment' | 'privateFolder'> {
  /** For the tasks that follow. */
  setVariable(name: string, value: string): void;
  /** Whether the value of a variable must not be shown. */
  isSecret(variable: string): boolean;
}

/** Gives the ids of those that could not be published, after a line about each. */
export async function publishArtifacts(
  artifacts: readonly WorkArtifact[],
  context: ArtifactContext,
  jobContext: ExternalJobContext,
): Promise<readonly string[]> {
  const external = artifacts.filter((artifact) => artifact.type === 'external');
  const { console, pipelineFolder, signal } = context;
  const out = (line: string) => console.notice(TAGS.artifact, line);
  return publishExternal(external, {
    ...jobContext,
    pipelineFolder,
    signal,
    out,
    err: (line) => console.notice(TAGS.artifactError, line),
    files: (source) => filesIn(source, context, out),
    publishMetadata: (path, bytes) => publishFile(path, bytes, context, jobContext),
  });
}

/** Rejects with a sentence for the console. */
export async function fetchExternalArtifact(
  task: FetchExternalTask,
  context: ArtifactContext,
  jobContext: ExternalJobContext,
): Promise<void> {
  const { console, pipelineFolder, signal } = context;
  const targets = new Map<string, Targets>();
  await fetchExternal(task, {
    ...jobContext,
    pipelineFolder,
    signal,
    out: (line) => console.notice(TAGS.out, line),
    err: (line) => console.notice(TAGS.error, line),
    target: (destination, path) => {
      const below = targets.get(destination) ?? new Targets(context, destination || '.');
      targets.set(destination, below);
      return below.file(path);
    },
    readMetadata: (name) => readMetadata(name, task.id, context, jobContext),
  });
}

async function* filesIn(
  text: string,
  { pipelineFolder, signal }: ArtifactContext,
  print: (line: string) => void,
): AsyncGenerator<SourceFile> {
  const source = sourceOf(text);
  const search = await Search.in(pipelineFolder, { source: text, signal, print });
  const matches = await matchesOf(source, search);
  if (matches.length === 0) throw new ArtifactFailure(`Failed to find ${text}`);
  // A store of objects has no empty folders.
  for await (const one of filesOf(matches, '', search)) if (one.kind === 'file') yield one;
  search.end();
}

async function publishFile(path: string, content: Buffer, context: ArtifactContext, { privateFolder }: ExternalJobContext): Promise<void> {
  const md5 = new Md5();
  try {
    await withFolder(privateFolder, async (folder) => {
      const real = join(folder, 'metadata');
      await writeFile(real, content);
      const file = { kind: 'file', real, name: path, path, bytes: content.length } as const;
      await publish({ files: [file], folders: [] }, { ...context, type: 'metadata', files: new LargeFiles(md5), onSent: () => {} });
    });
  } finally {
    await md5.close();
  }
}

async function readMetadata(name: string, fetch: number, context: ArtifactContext, { privateFolder }: ExternalJobContext) {
  for await (const { files } of listOf(fetch, context)) {
    const found = files.find(({ path }) => path === name);
    if (!found) continue;
    return withFolder(privateFolder, async (folder) => {
      const target = join(folder, 'metadata');
      await download(found, target, { ...context, fetch, onBytes: () => {} });
      return readFile(target);
    });
  }
  return undefined;
}

async function withFolder<T>(privateFolder: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(privateFolder, 'external-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
