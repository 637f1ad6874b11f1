// Trusts the authority that signed the certificate of a server, beside those that are trusted anyway.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CommandFailed } from './failures.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const trusted = new Set<string>();

export async function trustAuthority(file: string): Promise<void> {
  if (trusted.has(file)) return;
  const certificates = certificatesIn(file, await read(file));
  setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
  trusted.add(file);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (failure) {
    throw new CommandFailed(`--ca-file ${file} cannot be read: ${(failure as Error).message}`);
  }
}

function certificatesIn(file: string, text: string): readonly string[] {
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new CommandFailed(`--ca-file ${file} holds no certificate: it must be a file in PEM format.`);
  try {
    for (const one of found) new X509Certificate(one);
  } catch (failure) {
    throw new CommandFailed(`--ca-file ${file} holds a certificate that cannot be read: ${(failure as Error).message}`);
  }
  return found;
}
