// The client for Subversion repositories.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type MaterialClient, MaterialProblem, type PollContext } from '../../clients/client.ts';
import { withinSize } from '../../clients/size-watch.ts';
import { materialOfExternal } from './external-material.ts';
import { svnExternals } from './externals.ts';
import { svnInfo } from './info.ts';
import { isRevision, type SvnMaterial } from './material.ts';
import { pollSvn } from './poll.ts';
import { Svn } from './svn.ts';

export const svnClient: MaterialClient<SvnMaterial> = {
  poll: pollSvn,
  checkConnection: async (material, context) => {
    mkdirSync(context.directory, { recursive: true });
    await svnInfo(new Svn(material, context));
  },
  findExternals: svnExternals,
  external: materialOfExternal,
  checkOut: async (material, revision, into, context) => {
    if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a Subversion repository.`);
    for (const directory of [context.directory, into]) mkdirSync(directory, { recursive: true });
    const { limits, signal } = context;
    await withinSize(into, limits.maxBytes, signal, (stop) => checkOutFiles(material, revision, into, stop, context));
  },
};

async function checkOutFiles(material: SvnMaterial, revision: string, into: string, signal: AbortSignal, context: PollContext) {
  const svn = new Svn(material, context);
  const options = { cwd: into, signal };
  if (existsSync(join(into, '.svn'))) {
    await svn.run(['cleanup'], options);
    await svn.run(['revert', '--quiet', '--recursive', '.'], options);
    await svn.run(['cleanup', '--remove-unversioned', '--remove-ignored'], options);
  }
  // Externals name any server, and svn would log in there with the same password.
  await svn.run(['checkout', '--quiet', '--ignore-externals', `--revision=${revision}`, '--', `${svn.url}@${revision}`, '.'], options);
}
