// Bundles the pages for browsers into a folder: index.html, and beside it files whose names hold a hash of their content, compressed too.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const source = join(root, 'pages');
const brotli = promisify(brotliCompress);
/** What index.html calls them, by their sources. */
const ENTRIES = {
  __MAIN__: 'main.tsx',
  __APPEARANCE__: 'app/appearance.ts',
  __LIVE_WORKER__: 'api/live/worker.ts',
  __STYLES__: 'styles.css',
  __ICON__: 'icon.svg',
};
/** Not worth compressing, or compressed already. */
const LEAST_BYTES = 512;

export async function buildPages(bundle, folder) {
  const { metafile } = await bundle({
    entryPoints: Object.values(ENTRIES).map((file) => join(source, file)),
    outdir: folder,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    legalComments: 'none',
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ ...output, path: join(root, path) }));
  const addressOf = (path) => relative(folder, path).replaceAll('\\', '/');
  let page = readFileSync(join(source, 'index.html'), 'utf8');
  for (const [word, file] of Object.entries(ENTRIES)) {
    const { path, imports } = outputs.find(({ path, entryPoint }) => isOutputOf(file, path, entryPoint));
    page = page.replace(word, addressOf(path));
    if (word !== '__MAIN__') continue;
    // What the first file imports is fetched beside it, not after it.
    const chunks = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => addressOf(join(root, path)));
    page = page.replace('__PRELOADS__', chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}">\n`).join(''));
  }
  writeFileSync(join(folder, 'index.html'), page);
  await Promise.all(outputs.map(({ path }) => compress(path)));
}

/** Files that are only copied are no entry points in the report of the bundler. */
function isOutputOf(file, path, entryPoint) {
  if (entryPoint !== undefined) return entryPoint === `pages/${file}`;
  const [name, extension] = file.split('.');
  return basename(path).startsWith(`${name}-`) && path.endsWith(`.${extension}`);
}

async function compress(path) {
  const content = readFileSync(path);
  if (content.length < LEAST_BYTES) return;
  const [small, smaller] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ]);
  writeFileSync(`${path}.gz`, small);
  writeFileSync(`${path}.br`, smaller);
}
