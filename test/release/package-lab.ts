// The packages of this checkout, made once for all tests of a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from '../../tools/release/lockfile.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
/** Set: all packages, not only those of this machine. */
export const IS_WHOLE = process.env.TEST_PACKAGES === 'whole';

/** Makes the packages as a release does, from the files of a folder. */
export async function makePackages(root: string, out: string, names: readonly string[]): Promise<void> {
  const source = { SOURCE_COMMIT: 'a'.repeat(40), SOURCE_DATE_EPOCH: '1769826600' };
  const level = IS_WHOLE ? {} : { NODE_GZIP_LEVEL: '0' };
  await finished(process.execPath, [join(root, 'tools', 'package.ts'), '--out', out, ...names], { ...process.env, ...source, ...level });
}

const FOLDERS = ['client', 'src', 'pages', 'tools', 'deploy'];
const SOURCES = [...FOLDERS, 'package.json', 'package-lock.json', 'tsconfig.json', 'CHANGELOG.md', 'LICENSE'];

/** A copy of the sources at another place, with the same dependencies. */
export function copyOfCheckout(folder: string): string {
  const target = join(folder, 'elsewhere', 'checkout');
  mkdirSync(target, { recursive: true });
  for (const name of SOURCES) cpSync(join(ROOT, name), join(target, name), { recursive: true });
  // The bundler writes down the paths of bundled files, so these are no links; other packages are only used.
  for (const { path } of bundledPackages().filter(({ path }) => !path.includes('/node_modules/', 1)))
    cpSync(join(ROOT, path), join(target, path), { recursive: true });
  for (const name of globSync('node_modules/{esbuild,@esbuild,typescript,@typescript,node-*}', { cwd: ROOT }))
    symlinkSync(join(ROOT, name), join(target, name));
  return target;
}

/** Returns the standard output. */
export async function finished(program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): Promise<string> {
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, all] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (all += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${all}`);
  return out;
}
