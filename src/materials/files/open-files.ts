// Opens the files of a config repo at a revision, for all types of repositories.
import { MaterialProblem, type PollContext, type PolledMaterial } from '../clients/client.ts';
import { findRepositoryDefinition } from '../types/list.ts';
import type { RepositoryAccess } from '../types/repository-definition.ts';
import type { RevisionFiles } from './contract.ts';
import { SourceFiles } from './revision-files.ts';

/**
 * Opens a revision that a poll has found. The context is that of polls of the material, in whose directory its copy is; nothing else
 * may work there meanwhile.
 */
export async function openFiles(material: PolledMaterial, revision: string, context: PollContext): Promise<RevisionFiles> {
  const access = await accessOf(material);
  return new SourceFiles(await access.openFiles(material, revision, context));
}

/** Opens any branch or commit, at any time, where the type of repository allows it; otherwise a revision, as above. */
export async function openRequestedFiles(material: PolledMaterial, requested: string, context: PollContext): Promise<RevisionFiles> {
  const access = await accessOf(material);
  return new SourceFiles(await (access.openRequestedFiles ?? access.openFiles)(material, requested, context));
}

async function accessOf({ type }: PolledMaterial): Promise<RepositoryAccess> {
  const definition = findRepositoryDefinition(type);
  if (!definition) throw new MaterialProblem(`No files are read from materials of the type ${type}.`);
  return definition.load();
}
