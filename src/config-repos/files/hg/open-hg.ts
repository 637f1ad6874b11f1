// Opens a changeset of a Mercurial repository, straight from the mirror of the material: nothing is checked out.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../../kit/command.ts';
import { MaterialProblem, type Surroundings } from '../../../materials/client.ts';
import { Hg } from '../../../materials/hg/hg.ts';
import { bringRevision } from '../../../materials/hg/hg-client.ts';
import { type HgMaterial, isRevision } from '../../../materials/hg/material.ts';
import { HgMirror } from '../../../materials/hg/mirror.ts';
import { ByteStream } from '../byte-stream.ts';
import type { Content, Entry, FileSource } from '../source.ts';

const LIST_TEMPLATE = '{hash}\\0{type}\\0{path}\\0';
const CONTENT_TEMPLATE = '{path}\\0{data|count}\\0{data}';
const LINK = '@';
/** Trouble with our own copy that can be seen only where files are looked at. */
const DAMAGED = /no node|integrity|corrupt|unknown (?:version|flags|parent)|revlog|decompress|no such file/i;

export function openHg(material: HgMaterial, revision: string, surroundings: Surroundings): FileSource {
  if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a Mercurial repository.`);
  mkdirSync(surroundings.directory, { recursive: true });
  const hg = new Hg(material, surroundings);
  const mirror = new HgMirror(hg, surroundings);
  const within = ['--repository', mirror.path];
  return {
    revision,
    async *all() {
      if (!mirror.isThere) await bringRevision(hg, mirror, revision);
      yield* entriesIn(hg.records([...within, 'manifest', `--rev=${revision}`, `--template=${LIST_TEMPLATE}`], '\0'));
    },
    /** A complete list is one process, and most of its time is that of starting it; to learn of links would take another one. */
    since: async () => undefined,
    async *contents(entries, mostBytes) {
      if (entries.length === 0) return;
      const list = join(surroundings.directory, `to-read-${randomUUID()}`);
      writeFileSync(list, entries.map(({ path }) => `path:${path}`).join('\0'));
      const words = [...within, 'cat', `--rev=${revision}`, `--template=${CONTENT_TEMPLATE}`, '--', `listfile0:${list}`];
      try {
        yield* contentsIn(hg.chunks(words), mostBytes);
      } finally {
        rmSync(list, { force: true });
      }
    },
    repair: async (failure) => {
      if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) return false;
      if (DAMAGED.test(failure.stderr)) await mirror.remove();
      await bringRevision(hg, mirror, revision);
      return true;
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

async function* contentsIn(chunks: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Content, void> {
  const stream = new ByteStream(chunks);
  try {
    for (let path = await stream.wordUntil('\0'); path !== undefined; path = await stream.wordUntil('\0')) {
      const size = Number(await stream.wordUntil('\0'));
      if (size <= mostBytes) yield { path, size, bytes: await stream.take(size) };
      else {
        yield { path, size };
        await stream.skip(size);
      }
    }
  } finally {
    await stream.close();
  }
}
