// A stand-in for the program p4: the commands that are used, with answers in the form that Perforce documents for -G.

export interface P4State {
  readonly user: string;
  readonly password: string;
  /** 'ticket': the password counts only for `p4 login`. */
  readonly security: 'password' | 'ticket';
  readonly isTrusted?: boolean;
  /** Before `p4 clean`. */
  readonly isOld?: boolean;
  readonly changes: readonly P4Change[];
}

export interface P4Change {
  readonly change: number;
  readonly time: number;
  readonly user: string;
  readonly client: string;
  readonly desc: string;
  readonly files: readonly P4File[];
}

export interface P4File {
  readonly path: string;
  readonly action: string;
  readonly text?: string;
  /** Instead of a text. */
  readonly base64?: string;
  readonly type?: string;
}

export const P4_STAND_IN = String.raw`
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const here = import.meta.dirname;
const state = JSON.parse(readFileSync(join(here, 'state.json'), 'utf8'));
const clientsFile = join(here, 'clients.json');
const clients = existsSync(clientsFile) ? JSON.parse(readFileSync(clientsFile, 'utf8')) : {};
const { P4PORT, P4USER, P4CLIENT, P4PASSWD, P4TICKETS, P4TRUST = '' } = process.env;
const args = process.argv.slice(2);
appendFileSync(join(here, 'calls.jsonl'), JSON.stringify({ args, environment: Object.keys(process.env) }) + '\n');
const isMarshalled = args[0] === '-G';
if (isMarshalled) args.shift();
if (args[0] === '-x') {
  args.splice(0, 2);
  args.push(...readFileSync(0, 'utf8').split('\n').filter((line) => line !== ''));
}
const [command, ...words] = args;

function value(data) {
  const head = Buffer.alloc(5);
  if (typeof data === 'number') {
    head.write('i');
    head.writeInt32LE(data, 1);
    return head;
  }
  const bytes = Buffer.from(data);
  head.write('s');
  head.writeInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
function print(dictionary) {
  if (!isMarshalled) return void process.stdout.write(Object.values(dictionary).join(' ') + '\n');
  const parts = Object.entries(dictionary).flatMap(([key, data]) => [value(key), value(data)]);
  process.stdout.write(Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('0')]));
}
function fail(data, severity = 3, generic = 4) {
  if (isMarshalled) print({ code: 'error', data: data + '\n', severity, generic });
  else process.stderr.write(data + '\n');
  if (severity >= 3) process.exitCode = 1; // a warning is no failure
}
const readInput = () => readFileSync(0, 'utf8');
const hasTicket = () => existsSync(P4TICKETS) && readFileSync(P4TICKETS, 'utf8') === P4PORT + '=' + P4USER + ':0123456789ABCDEF';

function isAllowed() {
  if (P4PORT.startsWith('nowhere')) {
    process.stderr.write('Perforce client error:\n\tConnect to server failed; check $P4PORT.\n\tTCP connect to ' + P4PORT + ' failed.\n');
    process.exitCode = 1;
    return false;
  }
  if (state.isTrusted === false && !(existsSync(P4TRUST) && readFileSync(P4TRUST, 'utf8') === P4PORT)) {
    fail("The authenticity of '127.0.0.1:1666' can't be established,\nthis may be your first attempt to connect to this P4PORT.\nThe fingerprint for the key sent to your client is\nAB:CD\nTo allow connection use the 'p4 trust' command.");
    return false;
  }
  if (P4USER !== state.user) {
    fail('Access for user ' + "'" + P4USER + "'" + " has not been enabled by 'p4 protect'.");
    return false;
  }
  if (state.security === 'ticket' ? hasTicket() : P4PASSWD === state.password) return true;
  fail('Perforce password (P4PASSWD) invalid or unset.');
  return false;
}

/** What a client shows of a path in the depot; only views that end with three dots. */
function shownBy(client, path) {
  const mapping = client.view.findLast(([left]) => path.startsWith(left.replace(/^-/, '').replace(/\.\.\.$/, '')));
  if (!mapping || mapping[0].startsWith('-')) return undefined;
  const below = path.slice(mapping[0].length - 3);
  return mapping[1].replace('//' + client.name + '/', '').replace(/\.\.\.$/, '') + below;
}

/** Each file with its newest revision up to a change. */
function filesUntil(change) {
  const found = new Map();
  for (const one of state.changes)
    if (one.change <= change) for (const file of one.files) found.set(file.path, { ...file, change: one.change, rev: (found.get(file.path)?.rev ?? 0) + 1 });
  return [...found.values()];
}

const COMMANDS = {
  fstat: () => {
    const client = clients[P4CLIENT];
    if (!client) return fail("Client '" + P4CLIENT + "' unknown - use 'client' command to create it.");
    const [, until] = /@(\d+)$/.exec(words.at(-1));
    const from = words.includes('-c') ? Number(words[words.indexOf('-c') + 1]) : 0;
    if (!words.includes('-Op')) return fail('This stand-in only knows Perforce syntax.');
    const found = filesUntil(Number(until)).filter(({ path, change }) => change >= from && shownBy(client, path) !== undefined);
    if (found.length === 0) return fail(words.at(-1) + ' - no such file(s).', 2, 17);
    for (const { path, rev, action, type = 'text', change } of found)
      print({ code: 'stat', depotFile: path, clientFile: '//' + client.name + '/' + shownBy(client, path), headRev: String(rev), headAction: action, headType: type, headChange: String(change) });
  },
  print: () => {
    for (const word of words) {
      const [, path, rev] = /^(.*)#(\d+)$/.exec(word);
      let count = 0;
      const file = state.changes.flatMap(({ files }) => files).find((one) => one.path === path && ++count === Number(rev));
      if (!file) { fail(word + ' - no such file(s).', 2, 17); continue; }
      print({ code: 'stat', depotFile: path, rev, change: '1', action: file.action, type: file.type ?? 'text', time: '1' });
      const bytes = Buffer.from(file.base64 ?? file.text ?? '', file.base64 ? 'base64' : 'utf8');
      // Pieces end anywhere, also within a character.
      for (let at = 0; at < bytes.length; at += 4093) print({ code: 'text', data: bytes.subarray(at, at + 4093) });
      print({ code: 'text', data: '' });
    }
  },
  trust: () => writeFileSync(P4TRUST, P4PORT),
  login: () => {
    process.stdout.write('Enter password: \n');
    if (readInput() !== state.password + '\n') return fail('Password invalid.');
    writeFileSync(P4TICKETS, P4PORT + '=' + P4USER + ':0123456789ABCDEF', { mode: 0o600 });
    process.stdout.write('User ' + P4USER + ' logged in.\n');
  },
  client: () => {
    const form = readInput();
    const field = (name) => new RegExp('^' + name + ':[ \\t]*(.*)$', 'm').exec(form)?.[1].replaceAll('"', '');
    const view = form.slice(form.indexOf('View:\n') + 6).split('\n').filter((line) => line.startsWith('\t'));
    const name = field('Client');
    const mappings = view.map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain));
    const isWrong = mappings.some(([left, right]) => !/^[-+&]?\/\//.test(left) || !right?.startsWith('//' + name + '/'));
    if (!name || isWrong || !/^Options: .*clobber.*rmdir/m.test(form)) return fail('Error in client specification.\nNull directory (//) not allowed.');
    clients[name] = { name, root: field('Root'), view: mappings };
    writeFileSync(clientsFile, JSON.stringify(clients));
    process.stdout.write('Client ' + name + ' saved.\n');
  },
  changes: () => {
    const client = clients[P4CLIENT];
    if (!client) return fail("Client '" + P4CLIENT + "' unknown - use 'client' command to create it.");
    const [, name, from] = /^\/\/([^/]+)\/\.\.\.(?:@(\d+),#head)?$/.exec(words.at(-1));
    if (name !== P4CLIENT) return fail("Path '" + words.at(-1) + "' is not under client's root.");
    const most = words.includes('-m') ? Number(words[words.indexOf('-m') + 1]) : Infinity;
    const found = state.changes
      .filter(({ change, files }) => change >= Number(from ?? 0) && files.some(({ path }) => shownBy(client, path) !== undefined))
      .toSorted((one, other) => other.change - one.change)
      .slice(0, most);
    for (const { change, time, user, client: from, desc } of found)
      print({ code: 'stat', change: String(change), time: String(time), user, client: from, status: 'submitted', changeType: 'public', path: '//depot/*', desc: desc.slice(0, 31) });
  },
  describe: () => {
    for (const number of words.slice(1)) {
      const found = state.changes.find(({ change }) => String(change) === number);
      if (!found) { fail(number + ' - no such changelist.', 2, 17); continue; }
      const files = found.files.flatMap(({ path, action }, index) => Object.entries({ ['depotFile' + index]: path, ['action' + index]: action, ['type' + index]: 'text', ['rev' + index]: '1' }));
      print({ code: 'stat', change: number, user: found.user, client: found.client, time: String(found.time), desc: found.desc, status: 'submitted', changeType: 'public', ...Object.fromEntries(files) });
    }
  },
  sync: () => {
    const client = clients[P4CLIENT];
    if (!client) return fail("Client '" + P4CLIENT + "' unknown - use 'client' command to create it.");
    const [, until] = /@(\d+)$/.exec(words.at(-1));
    const files = new Map();
    for (const { change, files: changed } of state.changes)
      if (change <= Number(until)) for (const { path, action, text = '' } of changed) action === 'delete' ? files.delete(path) : files.set(path, text);
    const had = client.have ?? {};
    client.have = {};
    for (const [path, text] of files) {
      const shown = shownBy(client, path);
      if (shown === undefined) continue;
      client.have[shown] = text;
      if (!words.includes('-f') && had[shown] === text) continue;
      mkdirSync(dirname(join(client.root, shown)), { recursive: true });
      writeFileSync(join(client.root, shown), text);
      print({ code: 'stat', depotFile: path, clientFile: join(client.root, shown), rev: '1', action: 'added' });
    }
    for (const shown of Object.keys(had)) if (!(shown in client.have)) rmSync(join(client.root, shown), { force: true });
    writeFileSync(clientsFile, JSON.stringify(clients));
  },
  clean: () => {
    const { root, have } = clients[P4CLIENT];
    if (state.isOld) return fail('Unknown command.  Try "p4 help" for info.');
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && !(path.slice(root.length + 1) in have)) rmSync(path);
    }
    for (const [shown, text] of Object.entries(have)) writeFileSync(join(root, shown), text);
  },
};
if (command === 'trust' || command === 'login' || isAllowed()) COMMANDS[command]();
`;
