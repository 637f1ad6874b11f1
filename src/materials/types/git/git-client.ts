// The client for git repositories.
import { mkdirSync } from 'node:fs';
import type { MaterialClient } from '../../clients/client.ts';
import { checkOutGit } from './check-out.ts';
import { gitFor } from './git.ts';
import { type GitMaterial, refOf } from './material.ts';
import { pollGit } from './poll.ts';
import { remoteTip } from './remote.ts';

export const gitClient: MaterialClient<GitMaterial> = {
  poll: pollGit,
  checkConnection: async (material, context) => {
    mkdirSync(context.directory, { recursive: true });
    await remoteTip(gitFor(material, context), refOf(material.branch));
  },
  checkOut: checkOutGit,
};
