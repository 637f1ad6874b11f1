// Checks that folders stay small, and the files and functions of the program. Those that are larger already are listed here with their size, and may only shrink.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

const root = join(import.meta.dirname, '..');
const MAX_LINES = 300;
const MAX_FILES = 25;
const MAX_LINES_OF_FUNCTION = 60;

/** Larger than they should be, by name. */
const KNOWN: Readonly<Record<string, number>> = {
  'src/api/endpoints/config-git/routes.ts configGitRoutes': 97,
  'src/api/endpoints/connections/routes.ts checkConnectionRoutes': 81,
  'src/api/endpoints/documentation/routes.ts withDocumentation': 65,
  'src/api/endpoints/materials/routes.ts materialRoutes': 81,
  'src/api/endpoints/templates/authorization.ts templateAuthorizationRoutes': 90,
  'src/api/endpoints/templates/routes.ts templateRoutes': 69,
  'src/kit/xml/read-xml.ts readTree': 82,
  'src/server/open/all-parts.ts openAllParts': 86,
  'src/server/open/materials.ts openMaterials': 79,
};

/** The beginning of a function or a method, as the formatter writes it. */
const FUNCTION =
  /^( *)(?:export )?(?:default )?(?:(?:static|async|get|set) )*(?:function\*? ?(\w*)|(?!if|for|while|switch|catch|return|await)([#\w]+)\*?)[(<]/;

interface SizedItem {
  readonly name: string;
  readonly size: number;
  readonly max: number;
  readonly unit: string;
}

export function sizeProblems(): string[] {
  const files = globSync('{src,pages,test,bench,tools}/**/*.{ts,tsx,mjs}', { cwd: root }).map((file) => file.split(sep).join('/'));
  const program = files.filter((file) => /^(src|pages)\//.test(file) && !file.endsWith('.test.ts'));
  const sized = [...foldersOf(files), ...program.flatMap((file) => sizesIn(file, readFileSync(join(root, file), 'utf8')))];
  return sized.flatMap(({ name, size, max, unit }) => {
    const allowed = KNOWN[name] ?? max;
    if (size > allowed) return [`${name} has ${size} ${unit}; ${allowed} are the most.`];
    return name in KNOWN && size < allowed ? [`${name} has ${size} ${unit}: let KNOWN say that, or nothing up to ${max}.`] : [];
  });
}

function foldersOf(files: readonly string[]): SizedItem[] {
  return [...Map.groupBy(files, (file) => dirname(file))].map(([name, inside]) => ({
    name,
    size: inside.length,
    max: MAX_FILES,
    unit: 'files',
  }));
}

function sizesIn(file: string, text: string): SizedItem[] {
  const lines = text.split('\n');
  const functions = functionsIn(lines).map(({ name, start, end }, _, all) => {
    const inside = all.filter((other) => other.start > start && other.end <= end);
    const nested = inside.filter((one) => !inside.some((other) => other.start < one.start && one.end <= other.end));
    const ofOthers = nested.reduce((sum, other) => sum + other.end - other.start + 1, 0);
    return { name: `${file} ${name}`, size: end - start + 1 - ofOthers, max: MAX_LINES_OF_FUNCTION, unit: 'lines of its own' };
  });
  return [{ name: file, size: lines.length - 1, max: MAX_LINES, unit: 'lines' }, ...functions];
}

interface FunctionLines {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function functionsIn(lines: readonly string[]): FunctionLines[] {
  return lines.flatMap((line, start) => {
    const [, indent = '', name, method] = FUNCTION.exec(line) ?? [];
    if (name === undefined && method === undefined) return [];
    // Calls and signatures without a body begin in the same way.
    const head = line.endsWith('(') ? lines.slice(start).find((other) => other.startsWith(`${indent})`)) : line;
    if (!head?.endsWith('{')) return [];
    return [{ name: name ?? method!, start, end: lines.findIndex((other, index) => index > start && other.startsWith(`${indent}}`)) }];
  });
}

if (import.meta.main) {
  const problems = sizeProblems();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
