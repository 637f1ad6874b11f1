// The files of a bundle that come from the machine and the database: also of a server that does not run.
import { arch, availableParallelism, platform, release, totalmem } from 'node:os';
import { type DatabaseSource, readSupportFacts } from '../store/source.ts';
import type { BundleFile } from './bundle.ts';

export function versionsFile(version: string): BundleFile {
  const { node, v8, openssl, uv, sqlite } = process.versions;
  const machine = { platform: platform(), release: release(), arch: arch(), processors: availableParallelism(), memory: totalmem() };
  return { name: 'versions.json', content: { slipway: version, node, v8, openssl, uv, sqlite, machine } };
}

/** Undefined: there is no database. */
export async function databaseFiles(source: DatabaseSource): Promise<BundleFile[] | undefined> {
  const found = await readSupportFacts(source);
  if (!found) return undefined;
  const { size, facts } = found;
  const { schema, entities, revisions, agents, leases, ...others } = facts;
  const { recent_parses, recent_backups, failed_stages, ...counts } = others;
  return [
    { name: 'database.json', content: { schema, ...size } },
    { name: 'configuration.json', content: { entities, revisions } },
    { name: 'agents.json', content: agents },
    { name: 'work.json', content: { ...counts, leases } },
    { name: 'failures.json', content: { recent_parses, recent_backups, failed_stages } },
  ];
}
