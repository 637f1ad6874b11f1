// The objects of git as bytes, and the ids they have.
import { createHash } from 'node:crypto';

export type ObjectType = 'commit' | 'tree' | 'blob';

/** Bytes in pieces; pieces that stay the same from one list to the next are the same objects. */
export type Chunks = readonly Buffer[];

export interface CommitFacts {
  readonly tree: string;
  readonly parent: string | undefined;
  readonly author: string;
  readonly time: Date;
  readonly message: string;
}

const REGULAR_FILE = '100644';
const ZONE = '+0000';
const NAMELESS = 'unknown';
/** Characters that would end a name or an address early, or that a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be kept out
const NOT_IN_NAMES = /[<>\u0000-\u001f\u007f-\u009f]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be kept out
const NOT_IN_MESSAGES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g;

export function objectId(type: ObjectType, content: Chunks): string {
  const hash = createHash('sha1').update(`${type} ${sizeOf(content)}\0`);
  for (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

export function sizeOf(content: Chunks): number {
  let size = 0;
  for (const { length } of content) size += length;
  return size;
}

/** A tree with one file in it. */
export function treeOf(fileName: string, blob: string): Buffer {
  return Buffer.concat([Buffer.from(`${REGULAR_FILE} ${fileName}\0`), Buffer.from(blob, 'hex')]);
}

/** The file in such a tree. */
export function fileIn(tree: Buffer): { readonly name: string; readonly blob: string } {
  const end = tree.indexOf(0);
  return { name: tree.toString('utf8', REGULAR_FILE.length + 1, end), blob: tree.toString('hex', end + 1) };
}

export function commitOf({ tree, parent, author, time, message }: CommitFacts): Buffer {
  const name = author.replace(NOT_IN_NAMES, ' ').trim() || NAMELESS;
  const signature = `${name} <${name}> ${Math.max(0, Math.floor(time.getTime() / 1000))} ${ZONE}`;
  const lines = [`tree ${tree}`, ...(parent === undefined ? [] : [`parent ${parent}`]), `author ${signature}`, `committer ${signature}`];
  const text = message.replaceAll('\r\n', '\n').replace(NOT_IN_MESSAGES, ' ').trim();
  return Buffer.from(`${lines.join('\n')}\n\n${text}\n`);
}

export function treeIn(commit: Buffer): string {
  return commit.toString('latin1', 'tree '.length, 'tree '.length + 40);
}
