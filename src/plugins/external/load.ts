// Finds the external plugins: each is a folder with a plugin.json in it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyPlugin } from '../../contracts/plugins/any-plugin.ts';
import { BadManifest, type Manifest, readManifest } from './manifest.ts';
import { externalPlugin } from './plugin.ts';
import { PluginProgram, type ProgramParts } from './program.ts';

export interface ExternalPlugins {
  readonly plugins: readonly AnyPlugin[];
  /** The plugins that cannot be used, and why. */
  readonly problems: readonly { readonly folder: string; readonly message: string }[];
}

const MANIFEST = 'plugin.json';
const MAX_MANIFEST_BYTES = 64 * 1024;

/** `taken` are the ids that an external plugin must not have. */
export function loadExternalPlugins(folder: string, taken: readonly string[], parts: Omit<ProgramParts, 'directory'>): ExternalPlugins {
  const folders = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : [];
  const plugins: AnyPlugin[] = [];
  const problems: { folder: string; message: string }[] = [];
  for (const { name } of folders.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const directory = join(folder, name);
    try {
      const manifest = manifestIn(directory, name);
      if (taken.includes(manifest.id)) throw new BadManifest(`There is a plugin ${manifest.id} already.`);
      plugins.push(externalPlugin(manifest, new PluginProgram(manifest, { ...parts, directory })));
    } catch (failure) {
      problems.push({ folder: name, message: `plugins/${name}/${MANIFEST}: ${(failure as Error).message}` });
    }
  }
  return { plugins, problems };
}

function manifestIn(directory: string, name: string): Manifest {
  const file = join(directory, MANIFEST);
  if (!existsSync(file)) throw new BadManifest('It is missing.');
  if (statSync(file).size > MAX_MANIFEST_BYTES) throw new BadManifest(`It has more than ${MAX_MANIFEST_BYTES} bytes.`);
  const manifest = readManifest(readFileSync(file, 'utf8'));
  if (manifest.id !== name) throw new BadManifest(`id is ${manifest.id}; it has to be the name of the folder.`);
  return manifest;
}
