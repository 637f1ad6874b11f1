// The client for Subversion repositories.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type MaterialClient, MaterialProblem, type Surroundings } from '../client.ts';
import { withinSize } from '../size-watch.ts';
import { isRevision, type SvnMaterial } from './material.ts';
import { pathOf, pollSvn } from './poll.ts';
import { Svn } from './svn.ts';

export const svnClient: MaterialClient<SvnMaterial> = {
  poll: pollSvn,
  checkConnection: async (material, surroundings) => {
    mkdirSync(surroundings.directory, { recursive: true });
    await pathOf(new Svn(material, surroundings));
  },
  checkOut: async (material, revision, into, surroundings) => {
    if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a Subversion repository.`);
    for (const directory of [surroundings.directory, into]) mkdirSync(directory, { recursive: true });
    const { limits, signal } = surroundings;
    await withinSize(into, limits.mostBytes, signal, (stop) => bringFiles(material, revision, into, stop, surroundings));
  },
};

async function bringFiles(material: SvnMaterial, revision: string, into: string, signal: AbortSignal, surroundings: Surroundings) {
  const svn = new Svn(material, surroundings);
  const options = { cwd: into, signal };
  if (existsSync(join(into, '.svn'))) {
    await svn.run(['cleanup'], options);
    await svn.run(['revert', '--quiet', '--recursive', '.'], options);
    await svn.run(['cleanup', '--remove-unversioned', '--remove-ignored'], options);
  }
  await svn.run(['checkout', '--quiet', `--revision=${revision}`, '--', `${svn.url}@${revision}`, '.'], options);
}
