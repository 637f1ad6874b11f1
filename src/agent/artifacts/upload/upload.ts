// Uploads the files of the artifacts of a job, one after the other. An artifact that cannot be uploaded does not keep the others.
import { join } from 'node:path';
import type { Work, WorkArtifact } from '../../../contracts/agent-protocol/work.ts';
import { TAGS } from '../../console/tags.ts';
import { type ArtifactContext, ArtifactFailure, ofDisk } from '../context.ts';
import { Md5 } from '../digest/digests.ts';
import { LargeFiles } from '../files/large-file.ts';
import { matchesOf } from '../files/match.ts';
import { Search } from '../files/search.ts';
import { destinationOf, sourceOf } from '../files/source.ts';
import { filesOf } from '../files/walk.ts';
import { Progress } from '../progress.ts';
import { batchesOf } from './batch.ts';
import { publish } from './publish.ts';

const DEFAULT_DESTINATION = { build: '', test: 'testoutput' } as const;

/** `external` publishes those that go elsewhere. Rejects with a sentence for the console; then the job has failed. */
export async function uploadArtifacts(
  { artifacts }: Pick<Work, 'artifacts'>,
  context: ArtifactContext,
  external: () => Promise<readonly string[]>,
): Promise<void> {
  const { console, signal } = context;
  const failed: string[] = [];
  const md5 = new Md5();
  try {
    for (const artifact of artifacts.filter((one) => one.type !== 'external')) {
      try {
        await uploadOne(artifact, new LargeFiles(md5), context);
      } catch (failure) {
        signal.throwIfAborted();
        const known = ofDisk(failure);
        if (!(known instanceof ArtifactFailure)) throw known;
        console.notice(TAGS.artifactError, known.message);
        failed.push(artifact.source);
      }
    }
  } finally {
    await md5.close();
  }
  failed.push(...(await external()));
  if (failed.length > 0) throw new ArtifactFailure(`Uploading finished. Failed to upload [${failed.join(', ')}].`);
}

async function uploadOne(
  { type, ...artifact }: Exclude<WorkArtifact, { readonly type: 'external' }>,
  files: LargeFiles,
  context: ArtifactContext,
): Promise<void> {
  const { console, pipelineFolder, signal } = context;
  const source = sourceOf(artifact.source);
  const destination = destinationOf(artifact.destination || DEFAULT_DESTINATION[type]);
  const print = (line: string) => console.notice(TAGS.artifact, line);
  print(`Uploading artifacts from ${join(pipelineFolder, source.text)} to ${destination || '[defaultRoot]'}`);
  const search = await Search.in(pipelineFolder, { source: source.text, signal, print });
  const matches = await matchesOf(source, search);
  if (matches.length === 0) throw new ArtifactFailure(`Failed to find ${source.text}`);
  const progress = new Progress('Uploaded', print);
  try {
    for await (const batch of batchesOf(filesOf(matches, destination, search))) {
      const bytes = await publish(batch, { ...context, type, files, onSent: (sent) => progress.passed(sent) });
      progress.done(batch.files.length, bytes);
    }
  } finally {
    progress.stop();
  }
  search.end();
  print(`Uploaded ${progress.summary()}.`);
}
