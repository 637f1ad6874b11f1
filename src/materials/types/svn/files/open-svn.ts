// Opens a revision of a Subversion repository: asked over the network, for there is no copy of it.
import { mkdirSync } from 'node:fs';
import { chunksOf } from '../../../../kit/chunks.ts';
import { CommandFailure, CommandStopped } from '../../../../kit/process/command.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import type { Content, Difference, Entry, FileSource } from '../../../files/source.ts';
import { isRevision, type SvnMaterial } from '../material.ts';
import { Svn } from '../svn.ts';
import { addressOf, pathBelow } from './address.ts';
import { catFiles } from './cat.ts';
import { addressesWithProperty, differenceIn, LISTED, listedFile, sizesIn } from './read-xml.ts';

/** Words of one command; beyond this more is asked for at once. */
const MAX_ADDRESSES = 200;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** The mark before the target in the content of a link. */
const LINK_MARK = 'link ';

export function openSvn(material: SvnMaterial, revision: string, context: PollContext): FileSource {
  if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a Subversion repository.`);
  mkdirSync(context.directory, { recursive: true });
  return new SvnFiles(new Svn(material, context), revision);
}

/** Nothing that Subversion reports of a file is sure to change with its content, so the revision at which it was seen is its id. */
class SvnFiles implements FileSource {
  readonly revision: string;
  readonly #svn: Svn;
  readonly #sizes = new Map<string, number>();
  #links: ReadonlySet<string> = new Set();

  constructor(svn: Svn, revision: string) {
    this.#svn = svn;
    this.revision = revision;
  }

  async *all(): AsyncGenerator<readonly Entry[], void> {
    const whole = `${this.#svn.url}@${this.revision}`;
    this.#links = new Set(await this.#linksAt([whole]));
    const args = ['list', '--xml', '--recursive', `--revision=${this.revision}`, '--', whole];
    for await (const records of this.#svn.records(args, `</${LISTED}>`, { maxOutputBytes: MAX_ANSWER_BYTES })) {
      const files = records.map(listedFile).filter((file) => file !== undefined);
      for (const { path, size } of files) this.#sizes.set(path, size);
      yield files.map(({ path }) => this.#entry(path));
    }
  }

  async since(before: string): Promise<Difference | undefined> {
    const { url } = this.#svn;
    if (!isRevision(before)) return undefined;
    const args = ['diff', '--summarize', '--xml', `--old=${url}@${before}`, `--new=${url}@${this.revision}`];
    const printed = await this.#svn.run(args, { maxOutputBytes: MAX_ANSWER_BYTES }).catch((failure: unknown) => {
      // The repository has been replaced by a younger one, or the path was elsewhere then.
      if (failure instanceof CommandFailure && !(failure instanceof CommandStopped)) return undefined;
      throw failure;
    });
    const difference = printed === undefined ? undefined : differenceIn(printed, url);
    if (!difference || difference.possibleLinks.length > MAX_ADDRESSES) return undefined;
    const { changed, possibleLinks, removed } = difference;
    this.#links = new Set(possibleLinks.length > 0 ? await this.#linksAt(possibleLinks.map((path) => this.#addressOf(path))) : []);
    return { changed: changed.map((path) => this.#entry(path)), removed };
  }

  async *contents(entries: readonly Pick<Entry, 'path'>[], maxBytes: number): AsyncGenerator<Content, void> {
    const paths = entries.map(({ path }) => path);
    await this.#learnSizes(paths.filter((path) => !this.#sizes.has(path)));
    const files = paths.map((path) => ({ path, address: this.#addressOf(path), size: this.#sizes.get(path)! }));
    for await (const content of catFiles(this.#svn, files, maxBytes)) yield this.#links.has(content.path) ? linkTarget(content) : content;
  }

  #entry(path: string): Entry {
    return { path, id: this.revision, kind: this.#links.has(path) ? 'link' : 'file' };
  }

  #addressOf(path: string): string {
    return addressOf(this.#svn.url, path, this.revision);
  }

  async #linksAt(addresses: readonly string[]): Promise<string[]> {
    const args = ['propget', '--xml', '--recursive', 'svn:special', '--', ...addresses];
    const printed = await this.#svn.run(args, { maxOutputBytes: MAX_ANSWER_BYTES });
    return addressesWithProperty(printed).flatMap((address) => pathBelow(this.#svn.url, address) ?? []);
  }

  async #learnSizes(paths: readonly string[]): Promise<void> {
    for (const some of chunksOf(paths, MAX_ADDRESSES)) {
      const sizes = sizesIn(await this.#svn.run(['info', '--xml', '--', ...some.map((path) => this.#addressOf(path))]));
      for (const [index, path] of some.entries()) this.#sizes.set(path, sizes[index]!);
    }
  }
}

function linkTarget({ path, size, bytes }: Content): Content {
  const text = Buffer.from(bytes ?? []).toString('utf8');
  return { path, size, bytes: Buffer.from(text.startsWith(LINK_MARK) ? text.slice(LINK_MARK.length) : '') };
}
