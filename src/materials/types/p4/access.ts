// How Perforce depots are reached: polled, checked out and read.
import type { RepositoryAccess } from '../repository-definition.ts';
import { openP4 } from './files/open-p4.ts';
import type { P4Material } from './material.ts';
import { p4Client } from './p4-client.ts';

export const p4Access: RepositoryAccess<P4Material> = {
  client: p4Client,
  openFiles: async (material, revision, context) => openP4(material, revision, context),
};
