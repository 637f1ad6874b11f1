// Unpacks a sealed archive, and reports its damage.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Durability, piecesOf, StreamFile } from '../bytes/stream-file.ts';
import { type EntryChecksums, hex, MARK_EVERY_BYTES, Marks, type ZipChecksums } from './zip-file.ts';

export interface UnpackOptions {
  /** Absent: it is only checked. */
  readonly into?: string;
  /** The entries to unpack, when not all. */
  wants?(name: string): boolean;
  readonly durability?: Durability;
  /** Whether the digest of the whole is wanted: that takes as long as everything else together. */
  readonly isDigested?: boolean;
  onBytes?(bytes: number): void;
}

interface Entry extends EntryChecksums {
  readonly name: string;
}

export interface UnpackResult {
  /** The damage, as messages; empty when all is well. */
  readonly problems: readonly string[];
  readonly sha256?: string | undefined;
}

/** Reads the archive once, from front to end. */
export async function unpack(path: string, seal: ZipChecksums, options: UnpackOptions = {}): Promise<UnpackResult> {
  const entries = Object.entries(seal.entries)
    .map(([name, entry]) => ({ name, ...entry }))
    .toSorted((one, other) => one.at - other.at);
  const strays = entries.filter(({ name }) => !staysInside(name));
  if (strays.length > 0) return { problems: strays.map(({ name }) => `${name} is not a name that stays in its folder`) };
  await using archive = await open(path);
  const { size } = await archive.stat();
  const { damages, frame, sha256 } = await extract(archive, size, entries, options);
  if (damages.length > 0) return { problems: damages };
  if (size !== seal.bytes) return { problems: [`it has ${size} bytes instead of ${seal.bytes}`] };
  return frame === seal.frame ? { problems: [], sha256 } : { problems: ['it is damaged beside its contents'] };
}

async function extract(
  archive: FileHandle,
  size: number,
  entries: readonly Entry[],
  { into, wants = () => true, durability = 'none', isDigested = false, onBytes }: UnpackOptions,
) {
  const hash = isDigested ? createHash('sha256') : undefined;
  const damages: string[] = [];
  let frame = 0;
  let at = 0;
  const readTo = async (end: number, take: (piece: Buffer) => Promise<void> | void) => {
    for await (const piece of piecesOf(archive, at, end - at)) {
      hash?.update(piece);
      await take(piece);
      onBytes?.(piece.length);
      at += piece.length;
    }
  };
  const readFrame = (piece: Buffer) => {
    frame = crc32(piece, frame);
  };
  for (const entry of entries) {
    await readTo(entry.at, readFrame);
    const marks = new Marks();
    const file = into !== undefined && wants(entry.name) ? await create(join(into, entry.name), durability) : undefined;
    try {
      await readTo(entry.at + entry.bytes, (piece) => {
        marks.add(piece);
        return file?.write(piece);
      });
    } finally {
      await file?.finish();
    }
    const damage = damageOf(entry, marks);
    if (damage !== undefined) damages.push(damage);
  }
  await readTo(size, readFrame);
  return { damages, frame: hex(frame), sha256: hash?.digest('hex') };
}

/** The first place at which the checksums differ. */
function damageOf({ name, at, bytes, marks }: Entry, found: Marks): string | undefined {
  if (found.bytes < bytes) return `${name} ends after ${found.bytes} of ${bytes} bytes`;
  const all = found.end();
  const first = marks.findIndex((mark, index) => all[index] !== mark);
  if (first < 0) return undefined;
  const from = first * MARK_EVERY_BYTES;
  const to = Math.min(from + MARK_EVERY_BYTES, bytes) - 1;
  return `${name} is damaged between its bytes ${from} and ${to} (${at + from} to ${at + to} of the archive)`;
}

function staysInside(name: string): boolean {
  return !isAbsolute(name) && !name.split(/[/\\]/).includes('..');
}

/** For the owner alone, and never a program, regardless of the mode in the archive. */
function create(path: string, durability: Durability): Promise<StreamFile> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return StreamFile.create(path, 0o600, durability);
}
