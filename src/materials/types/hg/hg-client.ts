// The client for Mercurial repositories.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type MaterialClient, MaterialProblem } from '../../clients/client.ts';
import type { RunOptions } from '../../clients/program.ts';
import { withinSize } from '../../clients/size-watch.ts';
import { Hg } from './hg.ts';
import { type HgMaterial, isRevision } from './material.ts';
import { HgMirror } from './mirror.ts';
import { pollHg, remoteTip } from './poll.ts';

export const hgClient: MaterialClient<HgMaterial> = {
  poll: pollHg,
  checkConnection: async (material, context) => {
    mkdirSync(context.directory, { recursive: true });
    await remoteTip(new Hg(material, context));
  },
  checkOut: async (material, revision, into, context) => {
    if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a Mercurial repository.`);
    for (const directory of [context.directory, into]) mkdirSync(directory, { recursive: true });
    const hg = new Hg(material, context);
    const mirror = new HgMirror(hg, context);
    await fetchRevision(hg, mirror, revision);
    const { limits, signal } = context;
    await withinSize(into, limits.maxBytes, signal, (stop) => checkOutFiles(hg, mirror.path, revision, { cwd: into, signal: stop }));
  },
};

/** Into the mirror, if it is not there already. */
export async function fetchRevision(hg: Hg, mirror: HgMirror, revision: string): Promise<void> {
  if (!(await hasRevision(hg, mirror, revision))) await mirror.update();
  if (!(await hasRevision(hg, mirror, revision))) throw new MaterialProblem(`The revision ${revision} is not in the repository any more.`);
}

async function hasRevision(hg: Hg, mirror: HgMirror, revision: string): Promise<boolean> {
  if (await mirror.isDamaged()) await mirror.remove();
  if (!mirror.exists) return false;
  return (await hg.run(['--repository', mirror.path, 'log', `--rev=present(${revision})`, '--template=x'])) !== '';
}

async function checkOutFiles(hg: Hg, mirror: string, revision: string, options: RunOptions): Promise<void> {
  const args = existsSync(join(options.cwd!, '.hg'))
    ? ['pull', '--quiet', '--', mirror]
    : ['clone', '--quiet', '--noupdate', '--', mirror, '.'];
  await hg.run(args, options);
  // Subrepositories are at addresses that this server has not judged.
  await hg.run(['--config', 'subrepos.allowed=false', 'update', '--quiet', '--clean', `--rev=${revision}`], options);
  await hg.run(['--config', 'extensions.purge=', 'purge', '--all'], options);
}
