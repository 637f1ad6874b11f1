// Makes backups that no server made: with other files in their archives or other words in their manifest, and checksums that fit.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Manifest, writeManifest } from '../../src/backup/manifest.ts';
import { readManifest } from '../../src/backup/read-manifest.ts';
import { unpack } from '../../src/kit/zip/unpack.ts';
import { type ZipChecksums, ZipFile } from '../../src/kit/zip/zip-file.ts';

export interface ForgedFile {
  readonly content: string;
  readonly mode?: number;
}

export function manifestOf(folder: string): Manifest {
  return readManifest(readFileSync(join(folder, 'manifest.json'), 'utf8'));
}

/** Copies the backup to `copy`, with other members of its manifest. */
export function withManifest(backup: string, copy: string, change: Partial<Manifest>): string {
  cpSync(backup, copy, { recursive: true });
  writeFileSync(join(copy, 'manifest.json'), writeManifest({ ...manifestOf(copy), ...change }));
  return copy;
}

/** Copies the backup to `copy`, with these files in one of its archives, and without those that are `gone`. */
export async function withFiles(
  backup: string,
  copy: string,
  archive: string,
  entries: Readonly<Record<string, ForgedFile>>,
  gone: readonly string[] = [],
): Promise<string> {
  cpSync(backup, copy, { recursive: true });
  const { files } = manifestOf(copy);
  const original = mkdtempSync(join(tmpdir(), 'slipway-forge-'));
  const seal = files[archive] as ZipChecksums;
  await unpack(join(copy, archive), seal, { into: original });
  rmSync(join(copy, archive));
  const zip = await ZipFile.create(join(copy, archive));
  for (const name of Object.keys(seal.entries)) {
    if (!(name in entries) && !gone.includes(name)) await zip.addText(name, readFileSync(join(original, name)), 0o600);
  }
  for (const [name, { content, mode = 0o600 }] of Object.entries(entries)) await zip.addText(name, content, mode);
  rmSync(original, { recursive: true });
  const manifest = { ...manifestOf(copy), files: { ...files, [archive]: await zip.finish() } };
  writeFileSync(join(copy, 'manifest.json'), writeManifest(manifest));
  return copy;
}
