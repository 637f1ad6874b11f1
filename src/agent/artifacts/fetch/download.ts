// Fetches one file: after a cut it goes on where it was, and a file of the wrong size or checksum is fetched once more.
import type { IncomingMessage } from 'node:http';
import { type ArtifactFile, FETCHED_FILE_PATH } from '../../../contracts/agent-protocol/messages.ts';
import { TAGS } from '../../console/tags.ts';
import { contentOf } from '../../server/answer-content.ts';
import { BackOff } from '../../server/back-off.ts';
import { answerOf, messageOf } from '../../server/server-client.ts';
import { type ArtifactContext, ArtifactFailure, ofDisk } from '../context.ts';
import { ARTIFACT_TIMEOUT_MS, answered, pathFor, replyOf } from '../requests.ts';
import { NewFile } from './new-file.ts';

const ATTEMPTS = 2;
const PARTIAL = 206;
const NO_SUCH_RANGE = 416;

export interface DownloadParts extends ArtifactContext {
  /** The id of the task. */
  readonly fetch: number;
  readonly onBytes: (bytes: number) => void;
}

export async function download(file: ArtifactFile, target: string, parts: DownloadParts): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) if (await received(file, target, parts)) return;
  parts.console.notice(TAGS.error, changedOnServer(file.path));
  throw new ArtifactFailure(`Artifact download failed for [${file.path}]`);
}

/** As GoCD says it. */
function changedOnServer(path: string): string {
  return `Verification of the integrity of the artifact [${path}] failed. The artifact file on the server may have changed since its original upload.`;
}

/** Whether the file arrived with the expected content. */
async function received({ path, bytes, sha256 }: ArtifactFile, target: string, parts: DownloadParts): Promise<boolean> {
  const file = await NewFile.at(target).catch((failure) => Promise.reject(ofDisk(failure)));
  let isDone = false;
  try {
    const backOff = new BackOff();
    while (file.length < bytes) {
      parts.signal.throwIfAborted();
      const before = file.length;
      await answered(() => receiveMore(path, bytes, file, parts));
      parts.signal.throwIfAborted();
      if (file.length > before) {
        backOff.reset();
        parts.retryBudget.noteProgress();
      } else await backOff.pause(parts.signal);
    }
    isDone = file.length === bytes && (await file.finish(sha256).catch((failure) => Promise.reject(ofDisk(failure))));
    return isDone;
  } finally {
    if (!isDone) await file.discard();
  }
}

/** Rejects where the connection breaks. */
async function receiveMore(path: string, bytes: number, file: NewFile, parts: DownloadParts): Promise<void> {
  const from = file.length;
  const response = await parts.client.open({
    method: 'GET',
    path: pathFor(FETCHED_FILE_PATH.replace(':fetch', String(parts.fetch)), parts, { path }),
    headers: { Accept: '*/*', ...(from > 0 && { Range: `bytes=${from}-` }) },
    timeoutMs: ARTIFACT_TIMEOUT_MS,
    signal: parts.signal,
  });
  if (!(await isContent(response, file, parts))) return;
  for await (const piece of contentOf(response)) {
    parts.onBytes(piece.length);
    await file.write(piece).catch((failure) => Promise.reject(ofDisk(failure)));
    // More than there should be is another file.
    if (file.length > bytes) break;
  }
}

async function isContent(response: IncomingMessage, file: NewFile, { retryBudget }: DownloadParts): Promise<boolean> {
  const [status, from] = [response.statusCode ?? 0, file.length];
  if (status === PARTIAL && startOf(response) === from) return true;
  const reply = replyOf(status);
  if (reply === 'taken' && status !== PARTIAL) {
    if (from > 0) await file.beginAnew();
    return true;
  }
  const answer = await answerOf(response);
  if (status === NO_SUCH_RANGE || status === PARTIAL) await file.beginAnew();
  else if (reply === 'refused') throw new ArtifactFailure(messageOf(answer));
  retryBudget.noteFailure(answer);
  return false;
}

function startOf({ headers }: IncomingMessage): number {
  return Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? Number.NaN);
}
