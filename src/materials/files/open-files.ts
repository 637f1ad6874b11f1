// Opens the files of a config repo at a revision, whatever kind of repository it is.
import { MaterialProblem, type PollContext, type PolledMaterial } from '../clients/client.ts';
import { openAskedGit } from '../types/git/files/asked-git.ts';
import { openGit } from '../types/git/files/open-git.ts';
import type { GitMaterial } from '../types/git/material.ts';
import { openAskedHg } from '../types/hg/files/asked-hg.ts';
import { openHg } from '../types/hg/files/open-hg.ts';
import type { HgMaterial } from '../types/hg/material.ts';
import { openP4 } from '../types/p4/files/open-p4.ts';
import type { P4Material } from '../types/p4/material.ts';
import { openSvn } from '../types/svn/files/open-svn.ts';
import type { SvnMaterial } from '../types/svn/material.ts';
import { openTfs } from '../types/tfs/files/open-tfs.ts';
import type { TfsMaterial } from '../types/tfs/material.ts';
import type { RevisionFiles } from './contract.ts';
import { SourceFiles } from './revision-files.ts';
import type { FileSource } from './source.ts';

/**
 * Opens a revision that a poll has found. The surroundings are those of polls of the material, in whose directory its copy is;
 * nobody else may work there meanwhile.
 */
export async function openFiles(material: PolledMaterial, revision: string, surroundings: PollContext): Promise<RevisionFiles> {
  return new SourceFiles(await sourceOf(material, revision, surroundings));
}

/** Opens what somebody asks for: of git and Mercurial any branch or commit, at any time; of others a revision, under the same conditions as above. */
export async function openAskedFiles(material: PolledMaterial, asked: string, surroundings: PollContext): Promise<RevisionFiles> {
  return new SourceFiles(await askedSourceOf(material, asked, surroundings));
}

function askedSourceOf(material: PolledMaterial, asked: string, surroundings: PollContext): Promise<FileSource> {
  switch (material.type) {
    case 'git':
      return openAskedGit(material as GitMaterial, asked, surroundings);
    case 'hg':
      return openAskedHg(material as HgMaterial, asked, surroundings);
    default:
      return sourceOf(material, asked, surroundings);
  }
}

async function sourceOf(material: PolledMaterial, revision: string, surroundings: PollContext): Promise<FileSource> {
  switch (material.type) {
    case 'git':
      return openGit(material as GitMaterial, revision, surroundings);
    case 'hg':
      return openHg(material as HgMaterial, revision, surroundings);
    case 'svn':
      return openSvn(material as SvnMaterial, revision, surroundings);
    case 'p4':
      return openP4(material as P4Material, revision, surroundings);
    case 'tfs':
      return openTfs(material as TfsMaterial, revision, surroundings);
    default:
      throw new MaterialProblem(`No files are read from materials of the type ${material.type}.`);
  }
}
