// Fetches the files of a task: intact ones stay, all others come from the server.

import { posix } from 'node:path';
import { type ArtifactFile, MAX_ARCHIVED_BYTES } from '../../../contracts/agent-protocol/messages.ts';
import type { CancelTask } from '../../../contracts/agent-protocol/work.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { pluralize } from '../../../kit/text/pluralize.ts';
import { TAGS } from '../../console/tags.ts';
import { type ArtifactContext, ofDisk } from '../context.ts';
import { Progress } from '../progress.ts';
import { fetchArchive } from './archive.ts';
import { type DownloadParts, download } from './download.ts';
import { bytesOf, listOf } from './list.ts';
import { Targets } from './targets.ts';
import { isUnchanged } from './unchanged.ts';

const PORTION_BYTES = 8 * 1024 * 1024;

export type FetchTask = Extract<CancelTask, { readonly type: 'fetch' }>;

/** Rejects with a sentence for the console. */
export async function fetchArtifact(task: FetchTask, context: ArtifactContext): Promise<void> {
  const { console } = context;
  const print = (line: string) => console.notice(TAGS.out, line);
  const { pipeline, pipeline_counter, stage, stage_counter, job } = task.from;
  print(`Fetching artifact [${task.source}] from [${[pipeline, pipeline_counter, stage, stage_counter, job].join('/')}]`);
  const progress = new Progress('Fetched', print);
  try {
    const targets = new Targets(context, destinationOf(task));
    const kept = await fetchAll(targets, progress, { ...context, fetch: task.id, onBytes: (bytes) => progress.passed(bytes) });
    print(`Fetched ${progress.summary()}${kept === 0 ? '' : `; ${pluralize(kept, 'file')} had not changed`}.`);
    print(`Saved artifact to [${targets.base}] after verifying the integrity of its contents.`);
  } catch (failure) {
    throw ofDisk(failure);
  } finally {
    progress.stop();
  }
}

/** A folder comes with its name. */
function destinationOf({ source, destination, is_file }: FetchTask): string {
  const name = posix.basename(posix.normalize(`/${source.replaceAll('\\', '/')}`));
  return is_file ? destination || '.' : posix.join(destination || '.', name);
}

/** Returns how many were there already. */
async function fetchAll(targets: Targets, progress: Progress, parts: DownloadParts): Promise<number> {
  let kept = 0;
  for await (const { files, folders } of listOf(parts.fetch, parts)) {
    for (const path of folders) targets.folder(path);
    const wanted: ArtifactFile[] = [];
    for (const file of files) {
      if (await isUnchanged(targets.file(file.path), file, parts.signal)) kept++;
      else wanted.push(file);
      await pause();
    }
    await fetchFiles(wanted, targets, parts);
    progress.done(wanted.length, bytesOf(wanted));
  }
  return kept;
}

async function fetchFiles(files: readonly ArtifactFile[], targets: Targets, parts: DownloadParts): Promise<void> {
  const small = files.filter(({ bytes }) => bytes <= MAX_ARCHIVED_BYTES);
  const alone = small.length > 1 ? files.filter(({ bytes }) => bytes > MAX_ARCHIVED_BYTES) : [...files];
  for (const some of small.length > 1 ? portionsOf(small) : []) alone.push(...(await fetchArchive(some, targets, parts)));
  for (const file of alone) await download(file, targets.file(file.path), parts);
}

/** Portions of files that are fetched at a time: after a cut, less than one has to come again. */
function* portionsOf(files: readonly ArtifactFile[]): Generator<readonly ArtifactFile[]> {
  let [portion, sum]: [ArtifactFile[], number] = [[], 0];
  for (const file of files) {
    portion.push(file);
    sum += file.bytes + file.path.length;
    if (sum < PORTION_BYTES) continue;
    yield portion;
    [portion, sum] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}
