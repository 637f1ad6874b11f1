// Checks that imports only go down the floors and never in a circle, and that each dependency is imported in one place.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The folders that each folder of src may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  contracts: [],
  shape: ['kit', 'contracts'],
  store: ['kit'],
  'material-types': ['shape', 'contracts', 'kit'],
  resources: ['material-types', 'shape', 'kit'],
  config: ['shape', 'store', 'kit'],
  access: ['config', 'shape', 'store', 'contracts', 'kit'],
  plugins: ['formats', 'config', 'shape', 'contracts', 'kit'],
  mail: ['health', 'maintenance', 'config', 'shape', 'store', 'kit'],
  notifications: ['mail', 'material-types', 'store', 'kit'],
  artifacts: ['store', 'contracts', 'kit'],
  'test-reports': ['store', 'kit'],
  backup: ['health', 'shape', 'store', 'kit'],
  'support-bundle': ['store', 'kit'],
  builds: ['artifacts', 'materials', 'material-types', 'config', 'shape', 'store', 'contracts', 'kit'],
  agent: ['contracts', 'kit'],
  events: ['shape', 'store', 'kit'],
  health: ['config', 'shape', 'kit'],
  formats: ['material-types', 'shape', 'contracts', 'kit'],
  'config-repos': ['materials', 'material-types', 'config', 'shape', 'store', 'contracts', 'kit'],
  materials: ['material-types', 'config', 'shape', 'store', 'contracts', 'kit'],
  maintenance: ['store', 'kit'],
  document: ['material-types', 'config', 'shape', 'store', 'kit'],
  history: ['material-types', 'config', 'shape', 'store', 'kit'],
  api: [
    'access',
    'document',
    'events',
    'history',
    'builds',
    'notifications',
    'mail',
    'artifacts',
    'test-reports',
    'backup',
    'support-bundle',
    'plugins',
    'formats',
    'config-repos',
    'health',
    'maintenance',
    'materials',
    'material-types',
    'config',
    'shape',
    'store',
    'contracts',
    'kit',
  ],
};

/**
 * The definitions of the types of repositories: a floor of its own in the folder of materials, `material-types` in docs/architecture.md.
 * The code that reaches repositories stands beside it and is loaded by it on demand.
 */
const MATERIAL_TYPES = new RegExp(
  `^src/materials/(?:${[
    'types/[^/]+',
    'types/attributes/.+',
    'types/[^/]+/(?:definition|material|identity|external-material)',
    'addresses/address',
    'clients/client',
    'files/(?:contract|source)',
  ].join('|')})\\.ts$`,
);

/** Folders that join the parts; `src/main.ts` does so, too. */
const SERVER = 'server';
const JOINING: ReadonlySet<string> = new Set([SERVER, 'cli']);

/** Below `api`: the endpoints use the engine and the HTTP server, which know none of them. */
const BELOW_ENDPOINTS = /^src\/api\/(?:engine|http)\//;
const ENDPOINTS = 'src/api/endpoints/';

/** Dependencies that are a language of their own, used on a whole floor. */
const SHARED_DEPENDENCIES: Readonly<Record<string, string>> = {
  kysely: 'src/store/',
  'node:sqlite': 'src/store/sqlite/',
  pg: 'src/store/postgres/',
};

/** Folders that code outside of them, tests and tools included, uses by one file alone. */
const ENTRIES: Readonly<Record<string, string>> = {
  'src/kit/git/': 'src/kit/git/history.ts',
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isTypeOnly: boolean;
}

export function floorProblems(): string[] {
  const imports = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap(importsOf);
  const ofPages = globSync('pages/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap(importsOf);
  const ofTools = globSync('{bench,test,tools}/**/*.ts', { cwd: root }).flatMap(importsOf);
  return [
    ...imports.flatMap(goingUp),
    ...circles(imports),
    ...scattered(imports),
    ...ofPages.flatMap(goingUpInPages),
    ...circles(ofPages),
    ...circles(ofTools),
    ...[...imports, ...ofTools].flatMap(besideTheEntry),
    ...scattered(ofPages.filter(({ target }) => !VIEWS.test(target))),
  ];
}

/** The view library: any file of pages may import it. */
const VIEWS = /^(?:preact|@preact\/signals)(?:\/|$)/;

/** Below `pages`: the API, parts of pages, forms, actions of several pages, then a folder for each page; the frame on top joins them. */
const SHARED_BY_PAGES: readonly string[] = ['api', 'kit', 'forms', 'actions'];

function goingUpInPages({ file, target }: Import): string[] {
  if (!target.startsWith('.')) return [];
  const from = folderOf(file);
  const path = pathOf(file, target);
  const to = folderOf(path);
  if (path.startsWith('client/')) return [];
  if (!path.startsWith('pages/')) return [`${file} must not import ${path}: pages know the server by its API alone`];
  if (from === undefined || from === 'app' || to === from) return [];
  const floor = SHARED_BY_PAGES.indexOf(from);
  const below = floor < 0 ? SHARED_BY_PAGES : SHARED_BY_PAGES.slice(0, floor);
  return below.includes(to ?? '') ? [] : [`${file} must not import ${path}`];
}

function importsOf(path: string): Import[] {
  const file = path.split(sep).join('/');
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s(type\s)?[^;]*?from '([^']+)';/gms)].map(([, type, target]) => ({
    file,
    target: target!,
    isTypeOnly: type !== undefined,
  }));
}

function goingUp({ file, target, isTypeOnly }: Import): string[] {
  if (!target.startsWith('.')) return [];
  const from = folderOf(file);
  const path = pathOf(file, target);
  const to = folderOf(path);
  if (to === SERVER && from !== undefined && !JOINING.has(from)) return [`${file} must not import the server: ${target}`];
  if (from === undefined || JOINING.has(from)) return [];
  if (BELOW_ENDPOINTS.test(file) && path.startsWith(ENDPOINTS)) return [`${file} must not import an endpoint: ${target}`];
  if (path.endsWith('/index.ts')) return [`${file} imports an index: ${target}`];
  if (from === 'contracts' && !isTypeOnly) return [`${file} contains running code: ${target}`];
  if (from === 'resources' && to === 'resources' && !mayShare(file, path)) return [`${file} imports another resource: ${target}`];
  if (to === from || (to !== undefined && MAY_IMPORT[from]?.includes(to))) return [];
  return [`${file} must not import ${path}`];
}

function besideTheEntry({ file, target }: Import): string[] {
  if (!target.startsWith('.')) return [];
  const path = pathOf(file, target);
  const [folder, entry] = Object.entries(ENTRIES).find(([name]) => path.startsWith(name)) ?? [];
  if (folder === undefined || file.startsWith(folder) || path === entry) return [];
  return [`${file} imports ${path}, whose folder is used by ${entry} alone`];
}

/** The registry imports every resource; a resource imports parts, and one that is a folder imports its own files. */
function mayShare(file: string, path: string): boolean {
  const isOwnFolder = ownFolderOf(file) !== undefined && ownFolderOf(file) === ownFolderOf(path);
  return file === 'src/resources/index.ts' || path.startsWith('src/resources/parts/') || isOwnFolder;
}

/** Of a resource that is a folder. */
function ownFolderOf(path: string): string | undefined {
  return /^src\/resources\/([^/]+)\//.exec(path)?.[1];
}

function folderOf(path: string): string | undefined {
  if (MATERIAL_TYPES.test(path)) return 'material-types';
  const [, folder, ...rest] = path.split('/');
  return rest.length > 0 ? folder : undefined;
}

/** Files that import each other, be it only for types: none of them can be understood without the others. */
function circles(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(
    imports.filter(({ target }) => target.startsWith('.')),
    ({ file }) => file,
  );
  const reached = new Map<string, 'under way' | 'done'>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (reached.get(file) === 'under way')
      found.push(`These files import each other: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
    if (reached.has(file)) return;
    reached.set(file, 'under way');
    for (const { target } of targets.get(file) ?? []) visit(pathOf(file, target), [...path, file]);
    reached.set(file, 'done');
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}

function pathOf(file: string, target: string): string {
  return relative(root, join(root, dirname(file), target))
    .split(sep)
    .join('/');
}

function scattered(imports: readonly Import[]): string[] {
  const outside = imports.filter(({ target }) => !target.startsWith('.') && (!target.startsWith('node:') || target in SHARED_DEPENDENCIES));
  return [...Map.groupBy(outside, ({ target }) => target)].flatMap(([dependency, uses]) => {
    const home = SHARED_DEPENDENCIES[dependency];
    const strays = home ? uses.filter(({ file, isTypeOnly }) => !isTypeOnly && !file.startsWith(home)) : uses.slice(1);
    return strays.map(({ file }) => `${file} imports ${dependency}, which has its place in ${home ?? uses[0]!.file}`);
  });
}

if (import.meta.main) {
  const problems = floorProblems();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
