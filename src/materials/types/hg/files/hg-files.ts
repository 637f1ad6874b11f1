// The files of a changeset in a Mercurial repository on this machine: nothing is checked out.
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ByteStream } from '../../../files/byte-stream.ts';
import type { Content, Entry, FileSource } from '../../../files/source.ts';
import type { Hg } from '../hg.ts';

const LIST_TEMPLATE = '{hash}\\0{type}\\0{path}\\0';
const CONTENT_TEMPLATE = '{path}\\0{data|count}\\0{data}';
const LINK = '@';

/** `directory`: where a list of files can be put for as long as they are read. */
export function hgFiles(hg: Hg, repository: string, revision: string, directory: string): FileSource {
  const within = ['--repository', repository];
  return {
    revision,
    all: () => entriesIn(hg.records([...within, 'manifest', `--rev=${revision}`, `--template=${LIST_TEMPLATE}`], '\0')),
    /** A complete list is one process, and most of its time is that of starting it; to learn of links would take another one. */
    since: async () => undefined,
    async *contents(entries, maxBytes) {
      if (entries.length === 0) return;
      const list = join(directory, `to-read-${randomUUID()}`);
      writeFileSync(list, entries.map(({ path }) => `path:${path}`).join('\0'));
      const args = [...within, 'cat', `--rev=${revision}`, `--template=${CONTENT_TEMPLATE}`, '--', `listfile0:${list}`];
      try {
        yield* contentsIn(hg.chunks(args), maxBytes);
      } finally {
        rmSync(list, { force: true });
      }
    },
  };
}

async function* entriesIn(records: AsyncIterable<readonly string[]>): AsyncGenerator<readonly Entry[], void> {
  let waiting: string[] = [];
  for await (const some of records) {
    waiting.push(...some);
    const entries: Entry[] = [];
    let at = 0;
    for (; at + 2 < waiting.length; at += 3) {
      const [id, type, path] = waiting.slice(at, at + 3) as [string, string, string];
      entries.push({ path, id, kind: type === LINK ? 'link' : 'file' });
    }
    waiting = waiting.slice(at);
    yield entries;
  }
}

async function* contentsIn(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Content, void> {
  const stream = new ByteStream(chunks);
  try {
    for (let path = await stream.wordUntil('\0'); path !== undefined; path = await stream.wordUntil('\0')) {
      const size = Number(await stream.wordUntil('\0'));
      if (size <= maxBytes) yield { path, size, bytes: await stream.take(size) };
      else {
        yield { path, size };
        await stream.skip(size);
      }
    }
  } finally {
    await stream.close();
  }
}
