// Writes the configuration that lies in files into a backup: the document as it is now, the key, the password files.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import { configFiles, DOCUMENT_FILE, HISTORY_FOLDER } from '../data-files.ts';
import { lastDocument } from './history.ts';

const MODE = 0o600;
const PERMISSIONS = 0o777;

export interface ConfigDirSource {
  readonly dataDir: string;
  readonly artifactsDir: string;
}

export async function writeConfigDir({ dataDir, artifactsDir }: ConfigDirSource, zipPath: string): Promise<ZipChecksums> {
  const zip = await ZipFile.create(zipPath);
  const document = await lastDocument(join(dataDir, HISTORY_FOLDER));
  if (document) await zip.addText(DOCUMENT_FILE, Buffer.concat(document), MODE);
  for (const name of configFiles(dataDir, artifactsDir)) {
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
