// Writes the configuration that lies in files into a backup: the document as it is now, the key, the password files.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import { configFiles, DOCUMENT_FILE, foldedName, HISTORY_FOLDER, KEY_FILE } from '../data-files.ts';
import { lastDocument } from './history.ts';
import { readKeyFile } from './key-file.ts';

const MODE = 0o600;
const PERMISSIONS = 0o777;

export interface ConfigDirSource {
  readonly dataDir: string;
  readonly artifactsDir: string;
  /** Where the key is; undefined: in the data directory. */
  readonly cipherKeyFile?: string | undefined;
}

export async function writeConfigDir({ dataDir, artifactsDir, cipherKeyFile }: ConfigDirSource, zipPath: string): Promise<ZipChecksums> {
  const zip = await ZipFile.create(zipPath);
  const document = await lastDocument(join(dataDir, HISTORY_FOLDER));
  if (document) await zip.addText(DOCUMENT_FILE, Buffer.concat(document), MODE);
  if (cipherKeyFile !== undefined) await zip.addText(KEY_FILE, readKeyFile(cipherKeyFile), MODE);
  for (const name of configFiles(dataDir, artifactsDir)) {
    // A key of the data directory that the server does not use must not take the place of the one it uses.
    if (cipherKeyFile !== undefined && foldedName(name) === KEY_FILE) continue;
    const file = readIfThere(join(dataDir, name));
    if (file) await zip.addText(name, file.content, file.mode);
  }
  return zip.finish();
}

function readIfThere(path: string): { readonly content: Buffer; readonly mode: number } | undefined {
  try {
    return { content: readFileSync(path), mode: statSync(path).mode & PERMISSIONS };
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
