// Every path that there is because of symbolic links, without keeping the thread from others.
import { pause } from '../../kit/concurrency/time-slices.ts';
import { MaterialProblem } from '../clients/client.ts';
import { formatCount } from './limits.ts';
import { type LinkedPath, LinkTree } from './links.ts';
import { nameProblem } from './path-name.ts';
import type { Entry, FileSource } from './source.ts';

/** A few links can make any number of paths. */
const MAX_PATHS = 500_000;
const MAX_LINKS = 50_000;
const MAX_TARGET_BYTES = 4096;

/** `files` are all that there are; undefined: too many to follow links. */
export async function* throughLinks(
  source: FileSource,
  links: readonly Entry[],
  files: readonly Entry[] | undefined,
): AsyncGenerator<LinkedPath, void> {
  if (links.length === 0) return;
  if (!files || links.length > MAX_LINKS) {
    yield* links.map(notFollowed);
    return;
  }
  const targets = await targetsOf(source, links);
  const tree = new LinkTree();
  for (const entry of [...files, ...links]) {
    if (nameProblem(entry.path) === undefined) tree.add(entry, targets.get(entry.path));
    const wait = pause();
    if (wait) await wait;
  }
  let count = 0;
  for (const link of links) {
    for (const linked of tree.through(link, targets.get(link.path) ?? '')) {
      if (++count > MAX_PATHS) throw new MaterialProblem(`Symbolic links lead to more than ${formatCount(MAX_PATHS)} files.`);
      yield linked;
      const wait = pause();
      if (wait) await wait;
    }
  }
}

async function targetsOf(source: FileSource, links: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  for await (const { path, bytes } of source.contents(links, MAX_TARGET_BYTES)) {
    if (bytes) targets.set(path, Buffer.from(bytes).toString('utf8'));
  }
  return targets;
}

function notFollowed({ path }: Entry): LinkedPath {
  return { path, message: `${path} is a symbolic link, and this repository has too many files to follow links.`, isOutside: false };
}
