// The list of the files that a fetch task fetches, page by page.
import { type ArtifactFile, FETCHED_LIST_PATH, type FetchedList } from '../../../contracts/agent-protocol/messages.ts';
import { type ArtifactContext, ArtifactFailure } from '../context.ts';
import { jsonIn, pathFor, sendUntilTaken } from '../requests.ts';

export async function* listOf(fetch: number, context: ArtifactContext): AsyncGenerator<FetchedList> {
  const pattern = FETCHED_LIST_PATH.replace(':fetch', String(fetch));
  for (let after: string | undefined; ; ) {
    const path = pathFor(pattern, context, after === undefined ? {} : { after });
    const answer = await sendUntilTaken(
      context,
      () => 'The server has no room.',
      () => context.client.send({ method: 'GET', path, signal: context.signal }),
    );
    const page = pageIn(jsonIn<FetchedList>(answer));
    yield page;
    if (!page.has_more) return;
    const last = lastOf(page);
    if (last === undefined || last === after) throw new ArtifactFailure('The server lists the files to fetch without an end.');
    after = last;
  }
}

function pageIn(page: Partial<FetchedList> | undefined): FetchedList {
  if (!Array.isArray(page?.files) || !Array.isArray(page.folders))
    throw new ArtifactFailure('The server did not say which files to fetch.');
  return { files: page.files, folders: page.folders, has_more: page.has_more === true };
}

/** In the order of the server, which is that of bytes. */
function lastOf({ files, folders }: FetchedList): string | undefined {
  const ends = [files.at(-1)?.path, folders.at(-1)].filter((one) => one !== undefined);
  return ends.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))).at(-1);
}

export function bytesOf(files: readonly ArtifactFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
