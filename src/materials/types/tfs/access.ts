// How collections of Team Foundation Server are reached: polled, checked out and read.
import type { RepositoryAccess } from '../repository-definition.ts';
import { openTfs } from './files/open-tfs.ts';
import type { TfsMaterial } from './material.ts';
import { tfsClient } from './tfs-client.ts';

export const tfsAccess: RepositoryAccess<TfsMaterial> = {
  client: tfsClient,
  openFiles: async (material, revision, context) => openTfs(material, revision, context),
};
