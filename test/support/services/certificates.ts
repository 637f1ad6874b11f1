// Certificates for test servers: an authority of the test's own, and a certificate it signed for some names.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../patience.ts';
import { ensureDebianPackages } from './debian.ts';

const run = promisify(execFile);
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface Certificates {
  /** The authority, to be trusted. */
  readonly caFile: string;
  readonly cert: string;
  readonly key: string;
  remove(): Promise<void>;
}

/** `names` in the form of openssl: `DNS:localhost,IP:127.0.0.1`. */
export async function makeCertificates(names = 'DNS:localhost,IP:127.0.0.1'): Promise<Certificates> {
  await ensureDebianPackages(['openssl']);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-certificates-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder, timeout: PATIENCE_MS });
  await openssl('req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Slipway test authority');
  await openssl('req', ...NEW_KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=test server');
  await writeFile(join(folder, 'names.txt'), `subjectAltName=${names}\n`);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names.txt'];
  await openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem');
  return {
    caFile: join(folder, 'ca.pem'),
    cert: await readFile(join(folder, 'server.pem'), 'utf8'),
    key: await readFile(join(folder, 'server.key'), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
