// How Mercurial repositories are reached: polled, checked out and read.
import type { RepositoryAccess } from '../repository-definition.ts';
import { openAskedHg } from './files/asked-hg.ts';
import { openHg } from './files/open-hg.ts';
import { hgClient } from './hg-client.ts';
import type { HgMaterial } from './material.ts';

export const hgAccess: RepositoryAccess = {
  client: hgClient,
  openFiles: async (material, revision, context) => openHg(material as HgMaterial, revision, context),
  openAskedFiles: (material, asked, context) => openAskedHg(material as HgMaterial, asked, context),
};
