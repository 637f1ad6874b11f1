// Starts a real OpenLDAP server with given entries for a test, in a folder and on ports of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../patience.ts';
import { isListening } from '../server/port.ts';
import { ensureDebianPackages, findProgram } from './debian.ts';

const run = promisify(execFile);
const STOP_TIMEOUT_MS = 5_000;
const SCHEMAS = ['core', 'cosine', 'inetorgperson', 'nis'];

export interface SlapdOptions {
  readonly suffix: string;
  readonly rootDn: string;
  readonly rootPassword: string;
  readonly ldif: string;
  /** Beside the one that keeps the database. */
  readonly modules?: readonly string[];
  /** Further lines of slapd.conf about the database. */
  readonly databaseLines?: readonly string[];
}

export interface Slapd {
  readonly port: number;
  readonly securePort: number;
  /** The certificate authority that signed the server's certificate, which is valid for 127.0.0.1 and nothing else. */
  readonly caFile: string;
  stop(): Promise<void>;
}

export async function startSlapd(options: SlapdOptions): Promise<Slapd> {
  await ensureDebianPackages(['slapd', 'openssl']);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-slapd-'));
  try {
    await makeCertificates(folder);
    const configFile = await makeDatabase(folder, options);
    const [port, securePort] = await findFreePorts();
    const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`;
    // A debug level, even 0, keeps slapd in the foreground.
    const server = spawn(await programPath('slapd'), ['-f', configFile, '-h', urls, '-d', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const endWithUs = (): void => void server.kill('SIGKILL');
    process.once('exit', endWithUs);
    const stop = async (): Promise<void> => {
      process.off('exit', endWithUs);
      await stopProcess(server);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await Promise.all([waitForPort(server, port), waitForPort(server, securePort)]);
    } catch (error) {
      await stop();
      throw error;
    }
    return { port, securePort, caFile: join(folder, 'ca.pem'), stop };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

export async function findFreePorts(): Promise<readonly [number, number]> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
  return ports as [number, number];
}

async function makeDatabase(
  folder: string,
  { suffix, rootDn, rootPassword, ldif, modules = [], databaseLines = [] }: SlapdOptions,
): Promise<string> {
  const configFile = join(folder, 'slapd.conf');
  const ldifFile = join(folder, 'entries.ldif');
  await mkdir(join(folder, 'data'));
  await writeFile(
    configFile,
    [
      ...SCHEMAS.map((name) => `include /etc/ldap/schema/${name}.schema`),
      `pidfile ${folder}/slapd.pid`,
      'modulepath /usr/lib/ldap',
      ...['back_mdb', ...modules].map((name) => `moduleload ${name}`),
      `TLSCACertificateFile ${folder}/ca.pem`,
      `TLSCertificateFile ${folder}/server.pem`,
      `TLSCertificateKeyFile ${folder}/server.key`,
      // Servers in the field often answer an empty password with success; only then does a test prove that we do not.
      'allow bind_anon_cred bind_anon_dn',
      'database mdb',
      `suffix "${suffix}"`,
      `rootdn "${rootDn}"`,
      `rootpw "${rootPassword}"`,
      `directory ${folder}/data`,
      ...databaseLines,
      '',
    ].join('\n'),
  );
  await writeFile(ldifFile, ldif);
  await run(await programPath('slapadd'), ['-f', configFile, '-l', ldifFile], { timeout: PATIENCE_MS });
  return configFile;
}

async function makeCertificates(folder: string): Promise<void> {
  const openssl = (...args: string[]): Promise<unknown> => run('openssl', args, { cwd: folder, timeout: PATIENCE_MS });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Slipway test authority');
  await openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=slapd');
  await writeFile(join(folder, 'names.txt'), 'subjectAltName=IP:127.0.0.1\n');
  const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  await openssl('x509', '-req', '-in', 'server.csr', ...authority, '-days', '2', '-extfile', 'names.txt', '-out', 'server.pem');
}

async function programPath(name: string): Promise<string> {
  const path = await findProgram(name);
  if (!path) throw new Error(`${name} is not installed.`);
  return path;
}

async function waitForPort(server: ChildProcess, port: number): Promise<void> {
  let errorOutput = '';
  server.stderr?.on('data', (text) => {
    errorOutput = `${errorOutput}${text}`.slice(-2_000);
  });
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isListening(port))) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(`slapd ended at once. ${errorOutput}`);
    if (Date.now() > deadline) throw new Error(`slapd did not listen on port ${port} within ${PATIENCE_MS} ms. ${errorOutput}`);
    await sleep(25);
  }
}

async function stopProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  const insist = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(insist);
}
