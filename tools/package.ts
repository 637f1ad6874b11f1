// Makes the packages of this checkout, with checksums, a list of contents and a statement of provenance, in dist/.
//   node tools/package.ts                       all of them
//   node tools/package.ts npm linux-x64 chart   some
//   node tools/package.ts --folder PATH         none: writes the common content into a new folder, for an image
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Archive, Packager } from './release/archives.ts';
import { modeOf } from './release/entry.ts';
import { ROOT } from './release/lockfile.ts';
import { isPlatform, PLATFORMS } from './release/platforms.ts';
import { checksumsOf, provenanceOf } from './release/provenance.ts';
import { sbomOf } from './release/sbom.ts';
import { readSource, type Source } from './release/source.ts';

/** All that a release has. */
export const ALL: readonly string[] = ['npm', 'client', ...Object.keys(PLATFORMS), 'chart'];
const MB = 1_000_000;
const LOCAL_BUILDER = 'urn:slipway:builder:by-hand';
const REPOSITORY = 'urn:slipway:source';

/** Every file that people download. Returns their names. */
export async function writePackages(folder: string, names: readonly string[], source: Source): Promise<void> {
  const packager = await Packager.open(source);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archives: Archive[] = [];
  const write = (archive: Archive) => {
    writeFileSync(join(folder, archive.name), archive.content);
    process.stdout.write(`${archive.name} ${(archive.content.length / MB).toFixed(1)} MB\n`);
    archives.push(archive);
  };
  for (const name of names) write(archiveOf(packager, name));
  write({ name: `slipway-${packager.version}.cdx.json`, content: Buffer.from(sbomOf(source)) });
  const { RELEASE_REPOSITORY: repository = REPOSITORY, RELEASE_BUILDER: builder = LOCAL_BUILDER } = process.env;
  const provenance = provenanceOf(archives, { source, version: packager.version, repository, builder });
  write({ name: `slipway-${packager.version}.provenance.json`, content: Buffer.from(provenance) });
  writeFileSync(join(folder, 'SHA256SUMS'), checksumsOf(archives));
}

function archiveOf(packager: Packager, name: string): Archive {
  if (name === 'npm') return packager.npmPackage();
  if (name === 'client') return packager.clientPackage();
  if (name === 'chart') return packager.chart();
  if (isPlatform(name)) return packager.platformArchive(name);
  throw new Error(`There is no package ${name}. There are: ${ALL.join(', ')}.`);
}

async function writeFolder(folder: string, source: Source): Promise<void> {
  const packager = await Packager.open(source);
  for (const entry of packager.folderContents()) {
    const path = join(folder, entry.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, entry.content, { mode: modeOf(entry) });
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { folder: { type: 'string' }, out: { type: 'string', default: join(ROOT, 'dist') } },
    allowPositionals: true,
  });
  const source = readSource(process.env);
  if (values.folder !== undefined) await writeFolder(values.folder, source);
  else await writePackages(values.out, positionals.length > 0 ? positionals : ALL, source);
}
