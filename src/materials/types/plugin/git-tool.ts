// The git of the server as plugins see it: the same client, and the same directory, limits and silence about secrets.
import { mkdirSync } from 'node:fs';
import type { GitSource, GitTool, ScmRevision } from '../../../contracts/plugins/scm.ts';
import type { NewModification, PollContext } from '../../clients/client.ts';
import { checkOutGit } from '../git/check-out.ts';
import { gitFor } from '../git/git.ts';
import { type GitMaterial, refOf } from '../git/material.ts';
import { pollGit } from '../git/poll.ts';
import { remoteTip } from '../git/remote.ts';

/** An address that is not written in the configuration comes out of a secret, and it is not known which user entered it. */
export function gitTool(fingerprint: string, own: PollContext, isWritten: (url: string) => boolean): GitTool {
  const contextOf = ({ url }: GitSource): PollContext => (isWritten(url) ? own : { ...own, isLimitedToFolders: true });
  const materialOf = (source: GitSource): GitMaterial => ({ type: 'git', fingerprint, ...source });
  return {
    tip: async (source) => {
      mkdirSync(own.directory, { recursive: true });
      return remoteTip(gitFor(materialOf(source), contextOf(source)), refOf(source.branch));
    },
    async *commits(source, after) {
      const known = after === undefined ? undefined : { revision: after };
      for await (const batch of pollGit(materialOf(source), known, contextOf(source))) yield batch.map(revisionOf);
    },
    checkOut: (source, revision, into) => checkOutGit(materialOf(source), revision, into, contextOf(source)),
  };
}

function revisionOf({ revision, userName, comment, modifiedTime, files }: NewModification): ScmRevision {
  return { revision, time: modifiedTime, user: userName ?? undefined, comment: comment ?? undefined, files };
}
