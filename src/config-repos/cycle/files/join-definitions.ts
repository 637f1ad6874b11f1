// Joins the definitions in the files of a config repo. Of files that are in force already only the declared version is needed.
import type { ConfigRepoPlugin, Definitions, ParsedFile } from '../../../contracts/plugins/config-repo.ts';
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { ConfigRepoFiles, OfVersion, StoredFile } from '../../../store/config-repos/files.ts';
import { fromOutline, type Outline, type PackedFile, unpacked } from '../../parsing/packed.ts';

export interface DefinitionParts {
  readonly files: Pick<ConfigRepoFiles, 'parsed'>;
  readonly cipher: Pick<Cipher, 'decrypt'>;
}

/** The stored definitions cannot be decrypted any more, because they were encrypted with another key. */
export class UndecryptableDefinitions extends Error {}

/** Without bodies: enough to find the problems of the files. */
export function definitionsFromOutlines(
  plugin: ConfigRepoPlugin,
  files: readonly StoredFile[],
  versions: readonly OfVersion[],
): Definitions {
  return joined(
    plugin,
    files.map(({ path, outline }) => fromOutline(path, JSON.parse(outline) as Outline)),
    versions,
  );
}

/** How many characters the definitions of each have, with everything written out. */
export function sizesOf(files: readonly StoredFile[], fresh: ReadonlyMap<string, PackedFile>): number[] {
  return files.map(({ path, outline }) => (fresh.get(path)?.outline ?? (JSON.parse(outline) as Outline)).size ?? 0);
}

/** With bodies, from files that have just been read or from stored ones. */
export async function definitionsFromFiles(
  repo: string,
  plugin: ConfigRepoPlugin,
  files: readonly StoredFile[],
  versions: readonly OfVersion[],
  fresh: ReadonlyMap<string, PackedFile>,
  parts: DefinitionParts,
): Promise<Definitions> {
  const whole: ParsedFile[] = [];
  const kept = new Map<string, StoredFile>();
  for (const file of files) {
    const packed = fresh.get(file.path);
    if (packed) whole.push(unpacked(file.path, packed));
    else kept.set(file.path, file);
    const wait = pause();
    if (wait) await wait;
  }
  for await (const { path, parsed } of parts.files.parsed(repo, [...kept.keys()])) {
    const rest = parts.cipher.decrypt(parsed);
    if (rest === undefined) throw new UndecryptableDefinitions();
    whole.push(unpacked(path, { outline: JSON.parse(kept.get(path)!.outline) as Outline, rest }));
    const wait = pause();
    if (wait) await wait;
  }
  return joined(plugin, whole, versions);
}

/** The result of `join` depends on other files only by their declared versions: of the files left out, one per version stands for all. */
function joined(plugin: ConfigRepoPlugin, files: readonly ParsedFile[], versions: readonly OfVersion[]): Definitions {
  const named = new Set(files.map(({ path }) => path));
  const others = versions.filter(({ firstPath }) => !named.has(firstPath));
  const stand = others.map(({ version, firstPath }) => fromOutline(firstPath, { ...(version > 0 && { version }), ...NOTHING }));
  return plugin.join([...files, ...stand].sort(({ path: one }, { path: other }) => (one < other ? -1 : 1)));
}

const NOTHING = { pipelines: [], environments: [], problems: [], warnings: [] };
