// Unpacks an archive that was sealed, and names what is not as it was written.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { type Durability, piecesOf, StreamFile } from '../stream-file.ts';
import { type EntrySeal, MARK_EVERY_BYTES, Marks, type ZipSeal } from './zip-file.ts';

export interface UnpackOptions {
  /** Absent: it is only checked. */
  readonly into?: string;
  /** The entries to unpack, when not all. */
  wants?(name: string): boolean;
  readonly durability?: Durability;
  onBytes?(bytes: number): void;
}

interface Part {
  readonly name: string;
  readonly seal: EntrySeal;
}

/** What is damaged, in words; nothing when all is well. It reads the archive once, from front to end, and again where it is damaged. */
export async function unpack(path: string, seal: ZipSeal, options: UnpackOptions = {}): Promise<string[]> {
  await using archive = await open(path);
  const { size } = await archive.stat();
  const problems: string[] = [];
  if (size !== seal.bytes) problems.push(`it has ${size} bytes instead of ${seal.bytes}`);
  const parts = Object.entries(seal.entries)
    .map(([name, entry]) => ({ name, seal: entry }))
    .toSorted((one, other) => one.seal.at - other.seal.at);
  const strays = parts.filter(({ name }) => !staysInside(name));
  if (strays.length > 0) return strays.map(({ name }) => `${name} is not a name that stays in its folder`);
  const hash = createHash('sha256');
  let at = 0;
  const readTo = async (end: number, take: (piece: Buffer) => unknown) => {
    for await (const piece of piecesOf(archive, at, end - at)) {
      hash.update(piece);
      await take(piece);
      options.onBytes?.(piece.length);
      at += piece.length;
    }
  };
  for (const part of parts) {
    await readTo(part.seal.at, () => {});
    const problem = await unpackOne(part, (take) => readTo(part.seal.at + part.seal.bytes, take), options);
    if (problem) problems.push(problem);
  }
  await readTo(Math.max(size, at), () => {});
  if (problems.length === 0 && hash.digest('hex') !== seal.sha256) problems.push('its directory is damaged, between the contents');
  return problems;
}

async function unpackOne(
  { name, seal }: Part,
  read: (take: (piece: Buffer) => unknown) => Promise<void>,
  { into, wants = () => true, durability = 'none' }: UnpackOptions,
): Promise<string | undefined> {
  const marks = new Marks();
  const file = into !== undefined && wants(name) ? await create(join(into, name), seal.mode, durability) : undefined;
  let bytes = 0;
  try {
    await read(async (piece) => {
      marks.add(piece);
      bytes += piece.length;
      await file?.write(piece);
    });
  } finally {
    await file?.finish();
  }
  return damageOf(name, seal, marks.end(), bytes);
}

/** The first place at which the checksums differ. */
function damageOf(name: string, seal: EntrySeal, found: readonly string[], bytes: number): string | undefined {
  const first = seal.marks.findIndex((mark, index) => found[index] !== mark);
  if (first < 0) return undefined;
  const from = first * MARK_EVERY_BYTES;
  const to = Math.min(from + MARK_EVERY_BYTES, seal.bytes);
  if (bytes < to) return `${name} ends after ${bytes} of ${seal.bytes} bytes`;
  return `${name} is damaged between its bytes ${from} and ${to - 1} (${seal.at + from} to ${seal.at + to - 1} of the archive)`;
}

function staysInside(name: string): boolean {
  return !isAbsolute(name) && !name.split(/[/\\]/).includes('..');
}

function create(path: string, mode: number, durability: Durability): Promise<StreamFile> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return StreamFile.create(path, mode, durability);
}
