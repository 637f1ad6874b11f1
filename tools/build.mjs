// Bundles the server and its pages into build/, because a thousand small modules take longer to load than everything else at start.
// Does nothing when the sources are as they were. Without a bundler for this platform the server runs from its sources, without pages.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPages } from './build-pages.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'build');
const ENTRIES = ['start.mjs', 'cli/main.ts'];
const NAMES = { 'cli/main.ts': 'slipway' };

export function sourceFiles() {
  const files = globSync('src/**/*', { cwd: root }).filter((file) => /(?<!\.test)\.(ts|mjs|py)$/.test(file));
  return files.toSorted();
}

function pageFiles() {
  return globSync(['pages/**/*.{ts,tsx,css,html,svg}', 'client/*.ts'], { cwd: root }).toSorted();
}

/** Distinguishes one state of the sources from the next, without reading them. */
function fingerprint(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of ['package-lock.json', 'tools/build.mjs', 'tools/build-pages.mjs', ...files, ...pageFiles()]) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

/** Programs that the sources start beside themselves: all arguments of `ownProgram`. */
function ownPrograms(files) {
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(join(root, file), 'utf8'));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/ownProgram(?:File)?\('([^']+)'\)/g)].map(([, path]) => path)))];
}

/**
 * Importing a module of Node reads all it exports, and some of that is loaded only then: `node:http` brings all of `fetch`. Asked for
 * directly, it does not; and each module that imports something takes that alone, not a copy of everything.
 */
const modulesOfNode = {
  name: 'modules-of-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      return { path, namespace: kind === 'require-call' ? 'node-required' : 'node-imported', sideEffects: false };
    });
    onLoad({ filter: /./, namespace: 'node-required' }, ({ path }) => ({ contents: `module.exports = ${moduleOfNode(path)};` }));
    onLoad({ filter: /./, namespace: 'node-imported' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path)).filter((name) => IDENTIFIER.test(name) && name !== 'default');
      const taken = names.map((name) => `const own_${name} = /* @__PURE__ */ take('${name}'); export { own_${name} as ${name} };`);
      const take = `const all = ${moduleOfNode(path)}; const take = (name) => all[name]; export default all;`;
      return { contents: [take, ...taken].join('\n') };
    });
  },
};

/** Modules that are loaded on demand and become one file: all of a folder, or some by name. */
const LOADED_TOGETHER = {
  'material-types': ['src/materials/types/'],
  postgres: ['src/store/postgres/'],
  copy: ['src/store/copy/'],
  server: ['src/kit/log.ts', 'src/server/server.ts'],
};
/** What these files load, they load before the server. All else that belongs to `start.mjs` is loaded by the server. */
const BEFORE_SERVER = ['src/start.mjs', 'src/main.ts'].map((file) => join(root, file));

/**
 * The bundler makes a file for each set of entries that share the code in it: dozens that the server would have to load at its start, for
 * the sake of modules that are loaded on demand. So each of those is made to need the whole server, which is there by then.
 */
function loadedOnDemand(files, entry) {
  const targets = new Set(files.filter((file) => file.endsWith('.ts')).flatMap((file) => dynamicImportsOf(file)));
  const inside = (name) => [...targets].filter((target) => groupOf(target) === name).toSorted();
  return {
    name: 'loaded-on-demand',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ kind, path, resolveDir, importer }) => {
        if (kind !== 'dynamic-import' || isBuiltin(path)) return undefined;
        // From the root: at another place the same code gives the same bytes.
        const target = path.startsWith('.') ? fromRoot(join(resolveDir, path)) : path;
        const group = groupOf(target);
        const isAfterServer = entry === 'start.mjs' && !BEFORE_SERVER.includes(importer);
        if (group === undefined && !isAfterServer) return undefined;
        return { path: group ?? target, namespace: 'loaded-on-demand', pluginData: { isAfterServer } };
      });
      onLoad({ filter: /./, namespace: 'loaded-on-demand' }, ({ path, pluginData: { isAfterServer } }) => {
        const needed = isAfterServer ? inside('server').map((file) => `import ${JSON.stringify(file)};`) : [];
        const offered = (path in LOADED_TOGETHER ? inside(path) : [path]).map((file) => `export * from ${JSON.stringify(file)};`);
        return { contents: [...needed, ...offered].join('\n'), resolveDir: root };
      });
    },
  };
}

function groupOf(target) {
  return Object.keys(LOADED_TOGETHER).find((name) => LOADED_TOGETHER[name].some((part) => target.startsWith(`./${part}`)));
}

function fromRoot(path) {
  return `./${relative(root, path).replaceAll('\\', '/')}`;
}

function dynamicImportsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, target]) => fromRoot(join(root, dirname(file), target)));
}

const IDENTIFIER = /^[a-zA-Z_$][\w$]*$/;

function moduleOfNode(path) {
  return `process.getBuiltinModule('${path}')`;
}

/** Into an empty folder. `isPackaged`: users type the name of the program, and no npm command. */
export async function buildInto(next, { isPackaged = false } = {}) {
  const files = sourceFiles();
  const { build: bundle } = await import('esbuild');
  const define = isPackaged ? { IS_PACKAGED: 'true' } : {};
  const programs = ownPrograms(files);
  const entries = [...ENTRIES, ...programs.filter((path) => path.endsWith('.ts'))];
  // Each on its own: shared code would be split into dozens of files, and opening a file takes longer than reading its content.
  for (const path of entries) {
    await bundle({
      entryPoints: [{ in: join(root, 'src', path), out: NAMES[path] ?? basename(path).replace(/\.\w+$/, '') }],
      outdir: next,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node26',
      // The output names its sources, from any working directory.
      absWorkingDir: root,
      define: { IS_BUNDLED: 'true', ...define },
      plugins: [modulesOfNode, loadedOnDemand(files, path)],
      legalComments: 'none',
      minifyWhitespace: true,
      lineLimit: 160,
      logLevel: 'warning',
    });
  }
  for (const path of programs.filter((one) => !one.endsWith('.ts'))) copyFileSync(join(root, 'src', path), join(next, basename(path)));
  await buildPages(bundle, join(next, 'pages'), define);
}

async function build(stamp) {
  const next = `${folder}.next`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  await buildInto(next);
  writeFileSync(join(next, 'stamp'), stamp);
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
}

/** Stands in for the bundle where there is none: runs the sources themselves. */
function useSources(reason) {
  process.stderr.write(`The server runs from its sources, without pages, and takes longer to start: ${reason}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, source] of [
    ['start', 'start.mjs'],
    ['slipway', 'cli/main.ts'],
  ]) {
    writeFileSync(join(folder, `${name}.js`), `await import(${JSON.stringify(pathToFileURL(join(root, 'src', source)).href)});\n`);
  }
}

export async function ensureBuilt() {
  const stamp = fingerprint(sourceFiles());
  const kept = join(folder, 'stamp');
  if (existsSync(kept) && readFileSync(kept, 'utf8') === stamp) return;
  await build(stamp).catch((failure) => useSources(failure.message));
}

if (import.meta.main) await ensureBuilt();
