// Opens a change of a Perforce depot: asked over the network, in the client workspace that polls use.
import { mkdirSync } from 'node:fs';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import type { Content, Difference, Entry, FileSource } from '../../../files/source.ts';
import { plainPath } from '../changes.ts';
import type { Dictionary } from '../marshal.ts';
import { isRevision, type P4Material } from '../material.ts';
import { P4 } from '../p4.ts';
import { idOf, printed } from './printed.ts';

const FIELDS = 'depotFile,clientFile,headRev,headAction,headType,headChange';
const GONE = /^(?:.*\/)?(?:delete|purge|archive)$/;
const LINK = /^symlink/;

export function openP4(material: P4Material, revision: string, context: PollContext): FileSource {
  if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no change of a Perforce depot.`);
  mkdirSync(context.directory, { recursive: true });
  return new P4Files(new P4(material, context.directory, context), revision);
}

/** The id of a file is its place and revision in the depot, which never change. */
class P4Files implements FileSource {
  readonly revision: string;
  readonly #p4: P4;
  readonly #links = new Set<string>();

  constructor(p4: P4, revision: string) {
    this.#p4 = p4;
    this.revision = revision;
  }

  async *all(): AsyncGenerator<readonly Entry[], void> {
    for await (const answers of this.#files([])) yield answers.filter((answer) => !isGone(answer)).map((answer) => this.#entry(answer));
  }

  async since(before: string): Promise<Difference | undefined> {
    if (!isRevision(before) || Number(before) > Number(this.revision)) return undefined;
    const changed: Entry[] = [];
    const removed: string[] = [];
    for await (const answers of this.#files(['-c', String(Number(before) + 1)])) {
      for (const answer of answers) {
        if (Number(answer.get('headChange')) <= Number(before)) continue;
        const entry = this.#entry(answer);
        if (isGone(answer)) removed.push(entry.path);
        else changed.push(entry);
      }
    }
    return { changed, removed };
  }

  async *contents(entries: readonly Pick<Entry, 'path' | 'id'>[], maxBytes: number): AsyncGenerator<Content, void> {
    if (entries.length === 0) return;
    const paths = new Map(entries.map(({ path, id }) => [id, path]));
    for await (const content of printed(this.#p4.print([...paths.keys()]), paths, maxBytes))
      yield this.#links.has(content.path) ? linkTarget(content) : content;
  }

  #files(options: readonly string[]): AsyncGenerator<readonly Dictionary[], void> {
    return this.#p4.ask(['fstat', '-Op', '-T', FIELDS, ...options, `//${this.#p4.clientName}/...@${this.revision}`]);
  }

  #entry(answer: Dictionary): Entry {
    const path = plainPath(answer.get('clientFile') ?? '');
    const kind = LINK.test(answer.get('headType') ?? '') ? 'link' : 'file';
    if (kind === 'link') this.#links.add(path);
    return { path, id: idOf(answer.get('depotFile') ?? '', answer.get('headRev')), kind };
  }
}

function isGone(answer: Dictionary): boolean {
  return GONE.test(answer.get('headAction') ?? '');
}

/** It is kept as a line. */
function linkTarget({ path, size, bytes }: Content): Content {
  const text = Buffer.from(bytes ?? []).toString('utf8');
  return { path, size, bytes: Buffer.from(text.replace(/\n$/, '')) };
}
