// The ways to change a valid request into an odd one: its JSON, its text, its headers, its address, its method, its framing.
import { basic } from '../../support/requests/basic.ts';
import { DRY_RUN_ONLY, type Draft, type Schema, setHeader } from './draft.ts';
import type { Random } from './random.ts';

export type Mutation = (draft: Draft, random: Random) => void;

export const LONE_SURROGATE = '\ud800';
export const ODD_TEXTS = [
  '',
  ' ',
  'a\0b',
  LONE_SURROGATE,
  `x${LONE_SURROGATE}y`,
  '\u202e\ufeff',
  '😀'.repeat(300),
  '../../etc/passwd',
  '%s%n',
  '<b>&amp;</b>',
];
const ODD_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'errors',
  '_links',
  'value',
  'encrypted_value',
  'cipherText',
  '',
  'a\0b',
  LONE_SURROGATE,
];
const DEFAULT_TEXTS = [
  'staging',
  'release-bucket',
  'v1:00000000:AAAA',
  'cd.go.artifact.s3',
  'cd.go.artifact.docker.registry',
  'not.installed',
  'someone@example.org',
];
export const ODD_NUMBERS = [0, -1, 1.5, 1e308, -1e-300, 2 ** 53, 2 ** 31, 65_536];

function oddValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 2 ? 5 : 11)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return random.pick(ODD_NUMBERS);
    case 3:
      return random.pick(ODD_TEXTS);
    case 4:
      return random.pick(DEFAULT_TEXTS);
    case 5:
      return 'long '.repeat(1 + random.below(depth === 0 ? 20_000 : 200));
    case 6:
      return Array.from({ length: random.below(200) }, () => oddValue(random, depth + 1));
    case 7:
      return nested(random.below(100));
    case 8:
      return [oddValue(random, depth + 1)];
    default: {
      const object = {};
      for (let members = random.below(5); members > 0; members--)
        setOwnProperty(object, random.pick(ODD_KEYS), oddValue(random, depth + 1));
      return object;
    }
  }
}

export function nested(depth: number): unknown {
  return JSON.parse(`${'['.repeat(depth)}{}${']'.repeat(depth)}`);
}

/** An assignment to `__proto__` would not make a member. */
export function setOwnProperty(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

export interface Member {
  readonly holder: object;
  readonly key: string;
}

export function membersIn(value: unknown, members: Member[] = []): Member[] {
  if (typeof value !== 'object' || value === null) return members;
  for (const [key, member] of Object.entries(value)) {
    members.push({ holder: value, key });
    membersIn(member, members);
  }
  return members;
}

const mutateJson: Mutation = (draft, random) => {
  const members = membersIn(draft.json);
  const member = members.length === 0 ? undefined : random.pick(members);
  switch (random.below(6)) {
    case 0:
      draft.json = oddValue(random);
      break;
    case 1:
      if (member) Reflect.deleteProperty(member.holder, member.key);
      break;
    case 2:
      if (member) setOwnProperty(member.holder, random.pick(ODD_KEYS), oddValue(random));
      break;
    case 3: {
      const lists = members.map(({ holder, key }) => (holder as Record<string, unknown>)[key]).filter(Array.isArray);
      const list = lists.length === 0 ? undefined : random.pick(lists);
      list?.push(...structuredClone(list), oddValue(random));
      break;
    }
    default:
      if (member) setOwnProperty(member.holder, member.key, oddValue(random));
  }
};

/** A value of the right shape, with odd leaves now and then: it gets deeper than a body that is wrong from the start. */
function fromSchema({ type, properties, items }: Schema, random: Random): unknown {
  if (properties) {
    const names = Object.keys(properties).filter(() => random.below(5) > 0);
    return Object.fromEntries(names.map((name) => [name, fromSchema(properties[name]!, random)]));
  }
  if (items) return Array.from({ length: random.below(4) }, () => fromSchema(items, random));
  if (random.below(3) === 0) return random.below(3) === 0 ? oddValue(random) : random.pick(ODD_TEXTS);
  if (type === 'boolean') return random.below(2) === 0;
  if (type === 'integer') return random.below(70_000);
  return random.pick(DEFAULT_TEXTS);
}

const mutateShape: Mutation = (draft, random) => {
  draft.json = fromSchema(draft.schema, random);
};

const ODD_BYTES = ['\xff', '\xc0\x80', '\xed\xa0\x80', '\0', '"', '}', ']', ',', '\\', '\\u', '/*', 'NaN', "'", '\xef\xbb\xbf', '\x1b'];

const mutateText: Mutation = (draft, random) => {
  const whole = draft.text ?? Buffer.from(JSON.stringify(draft.json ?? {}));
  const at = random.below(whole.length + 1);
  const odd = Buffer.from(random.pick(ODD_BYTES), 'latin1');
  draft.text = random.pick([
    whole.subarray(0, at),
    Buffer.concat([whole.subarray(0, at), odd, whole.subarray(at)]),
    Buffer.concat([odd, whole]),
    Buffer.concat([whole, odd]),
    Buffer.concat([whole, whole]),
    Buffer.from(whole.toString('utf8'), 'utf16le'),
    Buffer.from('   '),
    Buffer.alloc(0),
    odd,
  ]);
};

const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  Accept: [
    '',
    '*/*',
    'application/json',
    'text/html',
    'application/vnd.svc.v999+json',
    'application/vnd.go.cd+json',
    'application/vnd.svc.v99999999999+json',
    ',;,;q=,',
    'application/vnd.svc+json;q=0',
    `${'a/b,'.repeat(1000)}*/*`,
    '\xff\xfe',
    '__proto__',
  ],
  'Content-Type': [
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'multipart/form-data',
    'application/vnd.svc.v1+json',
    ';',
    'application/xml',
    '\xe4',
  ],
  'If-Match': ['', '"', '*', '""', 'W/"x"', `"${'a'.repeat(64)}"`, 'a,'.repeat(2000), '"x--gzip"', '\xff'],
  'If-None-Match': ['', '*', '"x"', 'W/', 'a,'.repeat(2000)],
  Authorization: [
    '',
    'Basic',
    'Basic !!!!',
    'Basic Og==',
    'Bearer',
    'Bearer 0000000000000000000000000000000000000000',
    `Bearer ${'f'.repeat(5000)}`,
    'Digest username="admin"',
    'bAsIc \xff\xff',
    basic('a\0b', 'x'),
  ],
  Host: ['', 'evil.example/path', '[::1]:99999', 'a b', "'><script>", 'x'.repeat(5000), '\xff'],
  'X-Request-Id': ['', 'a b', 'x'.repeat(5000), '"><script>'],
  'X-Svc-Reason': ['', '\xc3\xa4\xff', 'r'.repeat(8000)],
  'X-Svc-Confirm': ['true', 'false', ''],
  'X-Forwarded-For': ['1.2.3.4', '\xff', ','],
  'Content-Encoding': ['gzip', 'br'],
  Expect: ['100-continue', 'something else'],
  Upgrade: ['websocket', 'h2c'],
  Range: ['bytes=0-1'],
  'X-HTTP-Method-Override': ['DELETE'],
  Cookie: ['a=b; '.repeat(1000)],
  'X-Large': ['x'.repeat(8000), 'x'.repeat(20_000)],
};

const mutateHeader: Mutation = (draft, random) => {
  const name = random.pick(Object.keys(ODD_HEADERS));
  const value = random.pick(ODD_HEADERS[name]!);
  switch (random.below(5)) {
    case 0:
      draft.headers.push([name, value]);
      break;
    case 1:
      draft.headers = draft.headers.filter(([one]) => one !== name || one === 'Host');
      break;
    default:
      setHeader(draft, name, value);
  }
};

const ODD_QUERIES = [
  'dry_run=true',
  'dry_run=false',
  'dry_run=yes',
  'dry_run',
  'dry_run=true&dry_run=false',
  '',
  '?',
  '%',
  '%ff=%00',
  'filter=all',
  'filter=%ed%a0%80',
  'filter[]=__proto__',
  '__proto__=1&constructor=2',
  'a=b&'.repeat(1500),
  '&&&===',
  '#fragment',
];

const mutateQuery: Mutation = (draft, random) => {
  draft.query += `${draft.query === '' ? '?' : '&'}${random.pick(ODD_QUERIES)}`;
};

const ODD_IDS = [
  '%00',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..',
  '../../../etc/passwd',
  '..%5c..',
  '%',
  '%zz',
  '%ff%fe',
  '%ed%a0%80',
  '%F0%9F%98%80',
  '__proto__',
  'constructor',
  'x'.repeat(300),
  'x'.repeat(2000),
  '%41'.repeat(900),
  "'%20OR%201=1--",
  ':id',
  '*',
  '-1',
  '9'.repeat(30),
  'a%2Fb',
  ';a=b',
  '%7B%7D',
];

const mutatePath: Mutation = (draft, random) => {
  const steps = draft.path.split('/');
  const at = 1 + random.below(steps.length - 1);
  switch (random.below(7)) {
    case 0:
      steps.splice(at, 0, random.pick(ODD_IDS));
      break;
    case 1:
      steps.splice(at, 1);
      break;
    case 2:
      steps.push('');
      break;
    case 3:
      steps[at] = steps[at]!.toUpperCase();
      break;
    case 4:
      draft.path = `http://elsewhere.example${draft.path}`;
      return;
    default:
      steps[steps.length - 1] = random.pick(ODD_IDS);
  }
  draft.path = steps.join('/') || '/';
};

const ODD_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'PURGE', 'QUERY'];

const mutateMethod: Mutation = (draft, random) => {
  draft.method = random.pick(ODD_METHODS);
  if (draft.path.includes(DRY_RUN_ONLY) && !draft.query.startsWith('?dry_run=true')) draft.query = `?dry_run=true&${draft.query.slice(1)}`;
};

const mutateFraming: Mutation = (draft, random) => {
  draft.framing = 'chunked';
  if (random.below(3) === 0 && bodyLength(draft) > 0) {
    draft.framing = random.pick(['chunked', 'length'] as const);
    draft.isCutShort = true;
  }
};

function bodyLength({ text, json }: Draft): number {
  return text?.length ?? (json === undefined ? 0 : 1);
}

export const MUTATIONS: readonly Mutation[] = [
  mutateShape,
  mutateShape,
  mutateJson,
  mutateJson,
  mutateText,
  mutateHeader,
  mutateHeader,
  mutateQuery,
  mutatePath,
  mutateMethod,
  mutateFraming,
];
