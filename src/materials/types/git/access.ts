// How git repositories are reached: polled, checked out and read.
import type { RepositoryAccess } from '../repository-definition.ts';
import { openGit } from './files/open-git.ts';
import { openRequestedGit } from './files/requested-git.ts';
import { gitClient } from './git-client.ts';
import type { GitMaterial } from './material.ts';

export const gitAccess: RepositoryAccess<GitMaterial> = {
  client: gitClient,
  openFiles: async (material, revision, context) => openGit(material, revision, context),
  openRequestedFiles: openRequestedGit,
};
