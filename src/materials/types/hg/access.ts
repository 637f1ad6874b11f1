// How Mercurial repositories are reached: polled, checked out and read.
import type { RepositoryAccess } from '../repository-definition.ts';
import { openHg } from './files/open-hg.ts';
import { openRequestedHg } from './files/requested-hg.ts';
import { hgClient } from './hg-client.ts';
import type { HgMaterial } from './material.ts';

export const hgAccess: RepositoryAccess<HgMaterial> = {
  client: hgClient,
  openFiles: async (material, revision, context) => openHg(material, revision, context),
  openRequestedFiles: openRequestedHg,
};
