// How Subversion repositories are reached: polled, checked out and read.
import type { RepositoryAccess } from '../repository-definition.ts';
import { openSvn } from './files/open-svn.ts';
import type { SvnMaterial } from './material.ts';
import { svnClient } from './svn-client.ts';

export const svnAccess: RepositoryAccess<SvnMaterial> = {
  client: svnClient,
  openFiles: async (material, revision, context) => openSvn(material, revision, context),
};
