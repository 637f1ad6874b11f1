// Fetches many small files as one tar stream. After a cut the rest of them is asked for.
import { hash } from 'node:crypto';
import {
  type ArtifactFile,
  FETCHED_ARCHIVE_PATH,
  type FetchedArchive,
  MAX_ARCHIVED_BYTES,
  MAX_ARTIFACTS_AT_ONCE,
} from '../../../contracts/agent-protocol/messages.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { BadArchive } from '../../../kit/tar/bad-archive.ts';
import { readTar } from '../../../kit/tar/read.ts';
import { contentOf } from '../../server/answer-content.ts';
import { BackOff } from '../../server/back-off.ts';
import { answerOf, messageOf } from '../../server/server-client.ts';
import { ArtifactFailure } from '../context.ts';
import { ARTIFACT_TIMEOUT_MS, answered, pathFor, replyOf } from '../requests.ts';
import type { DownloadParts } from './download.ts';
import { writeSmall } from './new-file.ts';
import type { Targets } from './targets.ts';

const LIMITS = { maxEntries: MAX_ARTIFACTS_AT_ONCE, maxBytes: MAX_ARCHIVED_BYTES };
const ATTEMPTS = 3;

/** Returns those that did not come as they should: they are to be fetched alone. */
export async function fetchArchive(
  files: readonly ArtifactFile[],
  targets: Targets,
  parts: DownloadParts,
): Promise<readonly ArtifactFile[]> {
  const { signal } = parts;
  const broken: ArtifactFile[] = [];
  const backOff = new BackOff();
  let bad = 0;
  for (let rest = files; rest.length > 0; ) {
    signal.throwIfAborted();
    const before = rest.length;
    const receiving = new ArchiveReceiver(rest, targets, parts);
    const isAnswered = await answered(() => receiving.run()).catch((failure) =>
      failure instanceof BadArchive ? 'bad' : Promise.reject(failure),
    );
    signal.throwIfAborted();
    broken.push(...receiving.broken);
    rest = rest.slice(receiving.received);
    if (isAnswered === 'bad' && ++bad === ATTEMPTS) return [...broken, ...rest];
    if (rest.length < before) {
      backOff.reset();
      parts.retryBudget.noteProgress();
    } else await backOff.pause(signal);
  }
  return broken;
}

class ArchiveReceiver {
  readonly #files: readonly ArtifactFile[];
  readonly #targets: Targets;
  readonly #parts: DownloadParts;
  readonly broken: ArtifactFile[] = [];
  /** How many of them have come. */
  received = 0;

  constructor(files: readonly ArtifactFile[], targets: Targets, parts: DownloadParts) {
    this.#files = files;
    this.#targets = targets;
    this.#parts = parts;
  }

  /** Rejects where the connection breaks. */
  async run(): Promise<void> {
    const { client, epoch, fetch, signal, onBytes, retryBudget } = this.#parts;
    const response = await client.open({
      method: 'POST',
      path: pathFor(FETCHED_ARCHIVE_PATH.replace(':fetch', String(fetch)), this.#parts),
      headers: { Accept: '*/*' },
      body: { epoch, paths: this.#files.map(({ path }) => path) } satisfies FetchedArchive,
      timeoutMs: ARTIFACT_TIMEOUT_MS,
      signal,
    });
    const reply = replyOf(response.statusCode ?? 0);
    if (reply !== 'taken') {
      const answer = await answerOf(response);
      if (reply === 'refused') throw new ArtifactFailure(messageOf(answer));
      retryBudget.noteFailure(answer);
      return;
    }
    try {
      for await (const entry of readTar(contentOf(response), LIMITS)) {
        if (entry.type === 'folder') continue;
        this.#take(entry.path, entry.bytes);
        onBytes(entry.bytes.length);
        await pause();
      }
    } finally {
      // The rest of the answer after a bad archive must not hold the connection.
      if (!response.readableEnded) response.destroy();
    }
  }

  /** They come in the order in which they were asked for; in front of a name there may be that of the folder. */
  #take(path: string, content: Buffer): void {
    const file = this.#files[this.received];
    if (!file || (path !== file.path && !path.endsWith(`/${file.path}`))) throw new BadArchive(`'${path}' was not asked for`);
    this.received++;
    if (content.length === file.bytes && hash('sha256', content) === file.sha256) writeSmall(this.#targets.file(file.path), content);
    else this.broken.push(file);
  }
}
