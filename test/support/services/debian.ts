// Makes sure that the programs a test needs are there, installing them from Debian where that is possible.
import { execFile } from 'node:child_process';
import { constants, globSync } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The program that shows whether a package is there, where it is not called like the package. */
const PROGRAM_OF: Readonly<Record<string, string>> = {
  mercurial: 'hg',
  subversion: 'svn',
  'ldap-utils': 'ldapsearch',
  'apt-utils': 'apt-ftparchive',
  gnupg: 'gpg',
  postgresql: 'initdb',
  'xz-utils': 'xz',
};
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
/** Debian keeps each version of PostgreSQL in a folder of its own, and none of them on the PATH. */
const POSTGRESQL_FOLDERS = '/usr/lib/postgresql/*/bin';
/** Read when PostgreSQL is installed: tests make clusters of their own, and need none that starts with the machine. */
const NO_CLUSTER = { path: '/etc/postgresql-common/createcluster.d/no-main-cluster.conf', text: 'create_main_cluster = false\n' };
const INSTALL_TIMEOUT_MS = 300_000;

export async function ensureDebianPackages(packages: readonly string[]): Promise<void> {
  const missing = await missingOf(packages);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !(await findProgram('apt-get'))) throw new Error(adviceFor(missing));
  const complaint = await install(missing);
  const stillMissing = await missingOf(packages);
  if (stillMissing.length > 0) throw new Error(`${adviceFor(stillMissing)} ${complaint}`.trim());
}

/** The path of a program; also looks where only the system's own programs are, which are not on every PATH. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS, ...postgresqlFolders()]) {
    const path = join(folder, name);
    if (folder !== '' && (await isExecutable(path))) return path;
  }
  return undefined;
}

/** The newest version first. */
function postgresqlFolders(): readonly string[] {
  return globSync(POSTGRESQL_FOLDERS).toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}

async function missingOf(packages: readonly string[]): Promise<readonly string[]> {
  const paths = await Promise.all(packages.map((name) => findProgram(PROGRAM_OF[name] ?? name)));
  return packages.filter((_, index) => paths[index] === undefined);
}

/** The failure in one line, or nothing. */
async function install(packages: readonly string[]): Promise<string> {
  const installation = ['install', '--yes', '--no-install-recommends', ...packages];
  try {
    if (packages.includes('postgresql')) await keepFromMakingCluster();
    await aptGet(installation).catch(async () => {
      await aptGet(['update']); // a fresh machine has no list of packages, or an old one
      await aptGet(installation);
    });
    return '';
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1) ?? '';
  }
}

async function keepFromMakingCluster(): Promise<void> {
  await mkdir(dirname(NO_CLUSTER.path), { recursive: true });
  await writeFile(NO_CLUSTER.path, NO_CLUSTER.text);
}

async function aptGet(args: readonly string[]): Promise<void> {
  // Test files run side by side, and apt-get itself gives up when another one is at work.
  await run('flock', ['/tmp/slipway-test-apt.lock', 'apt-get', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    // In run level 1 a freshly installed service is not started.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    timeout: INSTALL_TIMEOUT_MS,
  });
}

const adviceFor = (missing: readonly string[]): string =>
  `These tests need ${missing.join(', ')}: run "sudo apt-get install ${missing.join(' ')}" on Debian, or install it by other means.`;

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, which is the answer
  }
}
