// The servers on a database, also where there is only one.
import { hostname } from 'node:os';
import type { ReplicaFacts } from '../../api/endpoints/replicas/routes.ts';
import type { Version } from '../version.ts';
import type { Sharing } from './sharing.ts';

const STARTED_AT = new Date(Date.now() - performance.now()).toISOString();

export async function replicasOf(sharing: Sharing | undefined, { release }: Version, base: string): Promise<readonly ReplicaFacts[]> {
  if (sharing) return sharing.list();
  const alone = { id: 'embedded', url: base, host: hostname(), version: release, startedAt: STARTED_AT };
  return [{ ...alone, silence: 0, lag: 0, isKeeper: true, isThis: true }];
}
