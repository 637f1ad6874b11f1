// The rules of the server settings for all repositories.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import type { MaterialRules } from '../../materials/clients/client.ts';
import type { Settings } from '../settings.ts';
import { repositoryReach } from './network-rules.ts';

const FOLDER = 'pipelines';
const AUTHORITIES = 'authorities.pem';

type ParsedArguments = Pick<Settings, 'dataDir' | 'materialTls' | 'allowLoopback' | 'allowPrivateRepositories' | 'localRepositories'>;

export async function readMaterialRules(settings: ParsedArguments): Promise<MaterialRules> {
  const { dataDir, materialTls } = settings;
  const { caFile, uncheckedHosts } = materialTls;
  return {
    closedTo: dataDir,
    localFolders: settings.localRepositories,
    networkPolicy: repositoryReach(settings),
    tls: { uncheckedHosts, ...(caFile !== undefined && { caFile: await withThoseOfTheMachine(caFile, dataDir) }) },
  };
}

/** Programs take the file that they are given for all that there is. */
async function withThoseOfTheMachine(caFile: string, dataDir: string): Promise<string> {
  const all = [...getCACertificates('default'), ...getCACertificates('system'), await readFile(caFile, 'utf8')];
  const path = join(dataDir, FOLDER, AUTHORITIES);
  await mkdir(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  writeFileDurably(path, `${[...new Set(all)].join('\n')}\n`, 0o600);
  return path;
}
