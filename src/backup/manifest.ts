// The manifest of a backup: its content, and the checksums of each file.
import { sha256 } from '../kit/bytes/hash.ts';
import type { ZipChecksums } from '../kit/zip/zip-file.ts';
import type { DatabaseFacts } from '../store/facts.ts';

export const MANIFEST = 'manifest.json';
/** Grows when older versions can no longer read a backup. */
export const FORMAT = 1;

export const VERSION_FILE = 'version.txt';
export const CONFIG_ZIP = 'config-dir.zip';
export const HISTORY_ZIP = 'config-repo.zip';
export const DATABASE_ZIP = 'db.zip';
/** Only where there are some. */
export const CONSOLES_ZIP = 'consoles.zip';

export interface Origin {
  readonly id: number;
  readonly time: string;
  readonly user: string;
}

/** A small file that is no archive. */
export interface FileSeal {
  readonly bytes: number;
  readonly crc32: string;
}

/** That the backup was restored on trial, and equals the state of the server. */
export interface Verification {
  readonly at: string;
  /** The digest of every file, for administrators who check them with other programs. */
  readonly sha256: Readonly<Record<string, string>>;
}

export interface Manifest extends DatabaseFacts {
  readonly format: number;
  readonly version: string;
  readonly backup: Origin;
  /** The newest commit of the history; null: the backup has none. */
  readonly commit: string | null;
  readonly files: Readonly<Record<string, FileSeal | ZipChecksums>>;
  /** null: not yet. */
  readonly verified: Verification | null;
}

export function writeManifest(manifest: Manifest): string {
  const body = JSON.stringify(manifest);
  return `${JSON.stringify({ ...manifest, seal: sha256(body) }, null, 1)}\n`;
}
