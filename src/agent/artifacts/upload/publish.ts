// Sends the files of a batch and publishes them. Files that did not arrive, or arrived broken, are sent again.
import {
  ARTIFACT_PUBLICATION_PATH,
  type ArtifactFile,
  type Publication,
  type PublicationAnswer,
} from '../../../contracts/agent-protocol/messages.ts';
import { ArtifactFailure } from '../context.ts';
import { ARTIFACT_TIMEOUT_MS, jsonIn, pathFor, sendUntilTaken } from '../requests.ts';
import { sendArchive } from './archive.ts';
import { type Batch, isSmall, type SizedFile } from './batch.ts';
import { type SingleParts, sendSingle } from './single.ts';
import { uploadDenied } from './upload-denied.ts';

const ATTEMPTS = 3;
const NAMED = 5;

export interface PublishParts extends SingleParts {
  readonly type: Publication['type'];
}

/** Returns how many bytes the files have. */
export async function publish({ files, folders }: Batch, parts: PublishParts): Promise<number> {
  const sent = new Map<string, ArtifactFile>();
  let toSend = files;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (const file of await sendFiles(toSend, parts)) sent.set(file.path, file);
    const missing = new Set(await published([...sent.values()], folders, parts));
    if (missing.size === 0) return sumOf([...sent.values()]);
    toSend = files.filter(({ path }) => missing.has(path));
  }
  const names = toSend.slice(0, NAMED).map(({ name }) => name);
  throw new ArtifactFailure(
    `Failed to upload ${names.join(', ')}${toSend.length > NAMED ? ', …' : ''}: the server did not get what was sent.`,
  );
}

async function sendFiles(files: readonly SizedFile[], parts: PublishParts): Promise<readonly ArtifactFile[]> {
  const small = files.filter(isSmall);
  const { sent, grown } = small.length > 0 ? await sendArchive(small, parts) : { sent: [], grown: [] };
  const all = [...sent];
  parts.onSent(sumOf(all));
  for (const file of [...grown, ...files.filter((one) => !isSmall(one))]) all.push(await sendSingle(file, parts));
  return all;
}

/** The paths of those that are missing. */
async function published(files: readonly ArtifactFile[], folders: readonly string[], parts: PublishParts): Promise<readonly string[]> {
  const { client, instance, epoch, type, signal } = parts;
  const body: Publication = { instance, epoch, type, files, folders };
  const answer = await sendUntilTaken(
    parts,
    () => uploadDenied(files[0]?.path ?? '', sumOf(files)),
    () => client.send({ method: 'POST', path: pathFor(ARTIFACT_PUBLICATION_PATH, parts), body, timeoutMs: ARTIFACT_TIMEOUT_MS, signal }),
  );
  return jsonIn<PublicationAnswer>(answer)?.missing ?? [];
}

function sumOf(files: readonly ArtifactFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
