// Makes the npm package of the client in a folder: node tools/package-client.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist', 'client'));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'client'), '--outDir', folder], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
for (const file of ['package.json', 'README.md']) copyFileSync(join(root, 'client', file), join(folder, file));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
