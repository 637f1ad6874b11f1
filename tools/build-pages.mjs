// Bundles the pages for browsers into a folder: index.html, and beside it files whose names hold a hash of their content, compressed too.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const source = join(root, 'pages');
const brotli = promisify(brotliCompress);
const FRAME = join(source, 'app', 'app.tsx');
const SHARED = globSync('{api,kit,actions}/**/*.{ts,tsx}', { cwd: source })
  .filter((file) => !file.includes('live/worker') && !file.endsWith('.d.ts'))
  .toSorted()
  .map((file) => join(source, file));
/** Placeholders in index.html, by source file. */
const ENTRIES = {
  __MAIN__: 'main.tsx',
  __APPEARANCE__: 'app/appearance.ts',
  __LIVE_WORKER__: 'api/live/worker.ts',
  __STYLES__: 'styles.css',
  __ICON__: 'icon.svg',
};
/** Not worth compressing, or compressed already. */
const MIN_BYTES = 512;

/**
 * The bundler makes a file for each set of pages that share some code, some thirty small ones, and those of a page are found one after the
 * other. The shared code is one file instead: the frame names all of it, and each page names the frame.
 */
const ONE_SHARED_FILE = {
  name: 'one shared file',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\.tsx$/ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), pluginData: 'page' } : undefined,
    );
    onLoad({ filter: /\.tsx$/ }, ({ path, pluginData }) => {
      const named = path === FRAME ? SHARED : pluginData === 'page' ? [FRAME] : [];
      const imports = named.map((file) => `\nimport ${JSON.stringify(file)};`).join('');
      return { contents: readFileSync(path, 'utf8') + imports, loader: 'tsx', resolveDir: dirname(path) };
    });
  },
};

export async function buildPages(bundle, folder, define = {}) {
  // Alone, because they share next to nothing with pages: shared code would be in files of its own.
  const parts = await Promise.all([
    bundleOf(bundle, folder, define, [ENTRIES.__MAIN__, ENTRIES.__STYLES__, ENTRIES.__ICON__]),
    bundleOf(bundle, folder, define, [ENTRIES.__APPEARANCE__]),
    bundleOf(bundle, folder, define, [ENTRIES.__LIVE_WORKER__]),
  ]);
  const outputs = parts.flatMap(({ metafile }) =>
    Object.entries(metafile.outputs).map(([path, output]) => ({ ...output, path: join(root, path) })),
  );

  const addressOf = (path) => relative(folder, path).replaceAll('\\', '/');
  let page = readFileSync(join(source, 'index.html'), 'utf8');
  for (const [word, file] of Object.entries(ENTRIES)) {
    const { path, imports } = outputs.find(({ path, entryPoint }) => isOutputOf(file, path, entryPoint));
    page = page.replace(word, addressOf(path));
    if (word !== '__MAIN__') continue;
    // The imports of the first file are fetched beside it, not after it.
    const chunks = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => addressOf(join(root, path)));
    page = page.replace('__PRELOADS__', chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}">\n`).join(''));
  }
  writeFileSync(join(folder, 'index.html'), page);
  await Promise.all(outputs.map(({ path }) => compress(path)));
}

function bundleOf(bundle, folder, define, files) {
  return bundle({
    entryPoints: files.map((file) => join(source, file)),
    outdir: folder,
    define,
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
    plugins: [ONE_SHARED_FILE],
  });
}

/** Files that are only copied are no entry points in the report of the bundler. */
function isOutputOf(file, path, entryPoint) {
  if (entryPoint !== undefined) return entryPoint === `pages/${file}`;
  const [name, extension] = file.split('.');
  return basename(path).startsWith(`${name}-`) && path.endsWith(`.${extension}`);
}

async function compress(path) {
  const content = readFileSync(path);
  if (content.length < MIN_BYTES) return;
  const [small, smaller] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ]);
  writeFileSync(`${path}.gz`, small);
  writeFileSync(`${path}.br`, smaller);
}
