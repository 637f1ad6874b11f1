// A stand-in for the program tf of Team Explorer Everywhere: commands on standard input, answers in its XML.

export interface TfState {
  readonly login: string;
  readonly collection: string;
  readonly changesets: readonly TfChangeset[];
}

export interface TfChangeset {
  readonly id: number;
  readonly owner: string;
  readonly committer: string;
  readonly date: string;
  readonly comment: string;
  readonly items: readonly { readonly path: string; readonly type: string; readonly text?: string }[];
}

export const TF_STAND_IN = String.raw`
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const here = import.meta.dirname;
const state = JSON.parse(readFileSync(join(here, 'state.json'), 'utf8'));
const spacesFile = join(here, 'workspaces.json');
const spaces = existsSync(spacesFile) ? JSON.parse(readFileSync(spacesFile, 'utf8')) : {};
const args = process.argv.slice(2);
appendFileSync(join(here, 'calls.jsonl'), JSON.stringify({ args }) + '\n');
if (args.length !== 1 || args[0] !== '@') {
  process.stderr.write('An argument error occurred: this stand-in only takes commands from standard input.\n');
  process.exit(100);
}

/** The rules of command files: quotes hold words together, two of them within quotes are one. */
function wordsOf(line) {
  const words = [];
  let word;
  let isInside = false;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at];
    if (letter === '"') {
      word ??= '';
      if (isInside && line[at + 1] === '"') { word += '"'; at++; }
      else isInside = !isInside;
    } else if (!isInside && (letter === ' ' || letter === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (word !== undefined) words.push(word);
  return words;
}
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const fail = (text) => { process.stderr.write(text + '\n'); return 100; };

function run([name, ...words]) {
  const options = new Map(words.filter((word) => word.startsWith('-')).map((word) => /^-([a-z]+)(?::(.*))?$/s.exec(word).slice(1)));
  const free = words.filter((word) => !word.startsWith('-'));
  if (options.get('login') !== state.login) return fail('Access denied connecting to TFS server ' + options.get('collection') + ' (authenticating as ' + options.get('login').split(',')[0] + ')');
  if (options.get('collection') !== state.collection) return fail('The server is not available.');
  if (!options.has('noprompt')) return fail('It would ask something now.');
  if (name === 'history') {
    if (!options.has('recursive') || options.get('format') !== 'xml') return fail('unexpected options');
    const [, from = '1'] = /^C(\d+)~T$/.exec(options.get('version') ?? '') ?? [];
    const found = state.changesets
      .filter(({ id, items }) => id >= Number(from) && items.some(({ path }) => path === free[0] || path.startsWith(free[0] + '/')))
      .toSorted((one, other) => other.id - one.id)
      .slice(0, Number(options.get('stopafter') ?? Infinity));
    const lines = found.map(({ id, owner, committer, date, comment, items }) =>
      '<changeset id="' + id + '" owner="' + escaped(owner) + '" committer="' + escaped(committer) + '" date="' + date + '">\n' +
      (comment === '' ? '' : '<comment>' + escaped(comment) + '</comment>\n') +
      items.map(({ path, type }) => '<item change-type="' + type + '" server-item="' + escaped(path) + '"/>\n').join('') + '</changeset>\n');
    process.stdout.write('<?xml version="1.0" encoding="utf-8"?><history>\n' + lines.join('') + '</history>\n');
    return 0;
  }
  if (name === 'workspace') {
    const [space] = free;
    if (options.has('delete') && !spaces[space]) return fail('The workspace ' + space + ' could not be found.');
    if (options.has('delete')) delete spaces[space];
    else if (spaces[space]) return fail('The workspace ' + space + ' already exists.');
    else spaces[space] = {};
  } else if (name === 'workfold') spaces[options.get('workspace')][free[0]] = free[1];
  else if (name === 'get') {
    const [[server, local]] = Object.values(spaces).flatMap((space) => Object.entries(space)).filter(([, path]) => path === free[0]);
    const until = Number(options.get('version').slice(1));
    for (const { id, items } of state.changesets) if (id <= until) for (const { path, text } of items) if (text !== undefined) {
      mkdirSync(dirname(join(local, path.slice(server.length))), { recursive: true });
      writeFileSync(join(local, path.slice(server.length)), text);
    }
  } else return fail("The command '" + name + "' is not recognised.");
  writeFileSync(spacesFile, JSON.stringify(spaces));
  return 0;
}

for (const line of readFileSync(0, 'utf8').split('\n')) {
  if (line.trim() === '' || line.startsWith('#')) continue;
  process.exitCode = run(wordsOf(line));
  if (process.exitCode !== 0) break;
}
`;
