// The files of any branch or commit of a config repo, parsed, without anything of it being kept.
import type { ConfigRepoPlugin, ParsedFile } from '../../contracts/plugins/config-repo.ts';
import type { Material } from '../../materials/catalogue/material.ts';
import { MaterialProblem } from '../../materials/clients/client.ts';
import type { PathProblem, RevisionFiles } from '../../materials/files/contract.ts';
import type { openRequestedFiles } from '../../materials/files/open-files.ts';
import type { MaterialWork } from '../../materials/polling/run-with-material.ts';
import type { ReadLimits } from '../cycle/files/read-limits.ts';
import type { RepoConfig } from '../cycle/repo-config.ts';
import { type FileToCheck, type ParseParts, parseAll } from './parse-all.ts';

export interface FilesOfRef {
  readonly files: readonly ParsedFile[];
  readonly notes: readonly PathProblem[];
  readonly revision: string;
}

export interface RefParts extends ParseParts {
  readonly open: typeof openRequestedFiles;
  runWithMaterial<T>(material: Material, work: MaterialWork<T>): Promise<T>;
  readonly limits: ReadLimits;
}

/** Rejects with a `MaterialProblem` when there is nothing of that name, or it cannot be read. */
export async function readRef(
  repo: RepoConfig & { readonly plugin: ConfigRepoPlugin },
  material: Material,
  ref: string,
  callerGone: AbortSignal,
  parts: RefParts,
): Promise<FilesOfRef> {
  const { limits, runWithMaterial, open } = parts;
  const tooLong = AbortSignal.timeout(limits.readMs);
  const work = runWithMaterial(material, {
    signal: AbortSignal.any([callerGone, tooLong]),
    limits: { timeoutMs: limits.programMs, maxBytes: limits.maxBytes },
    do: async (polled, context) => {
      const from = await open(polled, ref, context);
      try {
        return { ...(await parsedFiles(repo, from, context.signal, parts)), revision: from.revision };
      } finally {
        await from.close();
      }
    },
  });
  return work.catch((failure: unknown) => {
    throw tooLong.aborted ? new MaterialProblem(`Reading the files takes longer than ${limits.readMs / 1000} seconds.`) : failure;
  });
}

async function parsedFiles(
  { plugin, configuration, pluginSettings }: RepoConfig & { readonly plugin: ConfigRepoPlugin },
  from: RevisionFiles,
  signal: AbortSignal,
  parts: ParseParts,
): Promise<Pick<FilesOfRef, 'files' | 'notes'>> {
  const readAs = new Map<string, string>();
  const { changed, problems, notes } = await from.changes(undefined, (paths) => {
    const chosen = plugin.choose(paths, configuration, pluginSettings);
    for (const { path, as } of chosen) readAs.set(path, as);
    return chosen.map(({ path }) => path);
  });
  return { files: await parseAll(plugin.id, toCheck(), signal, parts), notes };

  async function* toCheck(): AsyncGenerator<FileToCheck | (typeof problems)[number], void> {
    yield* problems;
    if (changed.length === 0) return;
    for await (const content of from.read(changed)) yield 'message' in content ? content : { ...content, as: readAs.get(content.path)! };
  }
}
