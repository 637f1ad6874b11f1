// The kinds of repositories that are polled for changes, with the attributes each needs to be found.
import { type EntityOf, type Field, type Fields, plainField, readFields, writeFields } from '../../shape/field.ts';
import { flag, optionalText } from '../../shape/fields.ts';
import { must, type Path, type Problem } from '../../shape/problem.ts';
import { missing, readObject, readText, report } from '../../shape/reading.ts';
import { secretText } from '../../shape/secret-text.ts';
import { hasCredentials, identityOf, isUnknown, shownUrl, type Url, url } from './url.ts';

const autoUpdate = flag(true, { description: 'Whether to look for changes without being told.' });
const text = (description: string) => optionalText({ description });
const username = (): Field<string | null> => omittedWhenUnset(text('User name.'));
const password = secretText({
  both: 'You may only specify `password` or `encrypted_password`, not both!',
  undecryptable: 'Encrypted value for password is invalid. This usually happens when the cipher text is invalid.',
  omitsUnset: true,
});
const branch = plainField<string>(
  { type: 'string', default: 'master' },
  (place, name) => readText(place, name)?.trim() || 'master',
  (value) => value,
);

/** The id of the owner is the name of its material. */
const name: Field<null> = {
  read: (place, member) => {
    if ((place.holder[member] ?? null) !== null)
      report(place, member, 'A name is not accepted here: the id of the config repo takes its place.');
    return null;
  },
  write: (_, member, out) => {
    out[member] = null;
  },
  describe: (member) => ({ request: {}, response: { [member]: { type: 'null' } } }),
};

/** The attributes of each type, in the order in which they are written. */
export const MATERIAL_FIELDS = {
  git: { name, autoUpdate, url: url(), username: username(), password, branch },
  hg: { name, autoUpdate, url: url(), username: username(), password, branch: omittedWhenUnset(text('Branch.')) },
  svn: {
    name,
    autoUpdate,
    url: url(),
    checkExternals: flag(false, { description: 'Whether changes of externals count.' }),
    username: text('User name.'),
    password,
  },
  p4: {
    name,
    autoUpdate,
    port: text('[transport:]host:port'),
    useTickets: flag(false, { description: 'Whether to log in with a ticket.' }),
    view: text('The view.'),
    username: text('User name.'),
    password,
  },
  tfs: {
    name,
    autoUpdate,
    url: url(),
    projectPath: text('Path in the collection.'),
    domain: text('Domain of the user.'),
    username: text('User name.'),
    password,
  },
} satisfies Readonly<Record<string, Fields>>;

export type MaterialType = keyof typeof MATERIAL_FIELDS;
export type Material = {
  [T in MaterialType]: { readonly type: T; readonly attributes: EntityOf<(typeof MATERIAL_FIELDS)[T]> };
}[MaterialType];

const TYPES = Object.keys(MATERIAL_FIELDS) as MaterialType[];
const CLASS_NAMES: Readonly<Record<MaterialType, string>> = {
  git: 'GitMaterial',
  hg: 'HgMaterial',
  svn: 'SvnMaterial',
  p4: 'P4Material',
  tfs: 'TfsMaterial',
};

export function material(): Field<Material> {
  const schema = {
    type: 'object',
    required: ['type', 'attributes'],
    properties: { type: { enum: TYPES }, attributes: { type: 'object' } },
  };
  return {
    read: (place, name) => {
      const { reading } = place;
      const before = reading.problems.length;
      const holder = readObject(place, name);
      if (!holder && reading.problems.length === before) missing(place, name);
      const inner = { holder: holder ?? {}, path: [...place.path, name], reading };
      const given = readText(inner, 'type');
      const attributes = readObject(inner, 'attributes');
      if (holder && given === undefined) missing(inner, 'type');
      if (holder && !attributes) missing(inner, 'attributes');
      const type = TYPES.find((one) => one === given?.toLowerCase());
      if (given !== undefined && !type) {
        const message = `Your request could not be processed. Unsupported material type: ${given.slice(0, 100)}. It has to be one of 'git, hg, svn, p4 and tfs'.`;
        reading.problems.push({ at: [...inner.path, 'type'], message, unreadable: true });
      }
      const known = type ?? 'git';
      const path = [...inner.path, 'attributes'];
      return { type: known, attributes: readFields(MATERIAL_FIELDS[known], attributes ?? {}, path, reading) } as Material;
    },
    write: ({ type, attributes }, name, out, writing) => {
      out[name] = { type, attributes: writeFields(MATERIAL_FIELDS[type] as Fields, attributes, writing) };
    },
    describe: (name) => ({ request: { [name]: schema }, response: { [name]: schema }, required: [name] }),
  };
}

export function materialProblems({ type, attributes }: Material, at: Path): Problem[] {
  const problem = (holds: boolean, key: string, message: string) => must(holds, [...at, key], message);
  const isGiven = (value: string | null) => (value ?? '').trim() !== '';
  switch (type) {
    case 'git':
      return [
        ...urlProblems(attributes.url, problem),
        ...ambiguousCredentials(attributes, problem),
        ...branchProblems(attributes.branch, problem),
      ];
    case 'hg':
      return [
        ...urlProblems(attributes.url, problem),
        ...ambiguousCredentials(attributes, problem),
        ...problem(
          !isGiven(attributes.branch) || !shownUrl(attributes.url).includes('##'),
          'url',
          'Ambiguous branch, must be provided either in URL or as an attribute.',
        ),
      ];
    case 'svn':
      return urlProblems(attributes.url, problem);
    case 'p4':
      return [
        ...problem(isGiven(attributes.view), 'view', 'P4 view cannot be empty.'),
        ...problem(isGiven(attributes.port), 'port', 'P4 port cannot be empty.'),
      ];
    case 'tfs':
      return [
        ...urlProblems(attributes.url, problem),
        ...problem(isGiven(attributes.username), 'username', 'Username cannot be blank'),
        ...problem(isGiven(attributes.projectPath), 'projectPath', 'Project Path cannot be blank'),
      ];
  }
}

type Check = (holds: boolean, key: string, message: string) => Problem[];

function urlProblems(value: Url, problem: Check): Problem[] {
  const shown = shownUrl(value);
  if (shown.trim() === '') return problem(false, 'url', 'URL cannot be blank');
  return [
    ...problem(/^[a-zA-Z0-9/#]/.test(shown), 'url', 'URL does not seem to be valid.'),
    ...problem(
      !isUnknown(value),
      'url',
      'The password in the URL is masked. Send the URL with its password, or leave it as it was returned.',
    ),
  ];
}

function ambiguousCredentials(attributes: { url: Url; username: string | null; password: unknown }, problem: Check): Problem[] {
  const hasAttributes = (attributes.username ?? '') !== '' || attributes.password !== null;
  return problem(
    !(hasCredentials(attributes.url) && hasAttributes),
    'url',
    'Ambiguous credentials, must be provided either in URL or as attributes.',
  );
}

function branchProblems(value: string, problem: Check): Problem[] {
  const colon = value.indexOf(':');
  if (colon < 0) return problem(!value.includes('*'), 'branch', "Branch names may not contain '*'");
  const source = value.slice(0, colon);
  return [
    ...problem(source !== '', 'branch', 'Refspec is missing a source ref'),
    ...problem(source === '' || source.startsWith('refs/'), 'branch', 'Refspec source must be an absolute ref (must start with `refs/`)'),
    ...problem(value.slice(colon + 1) !== '', 'branch', 'Refspec is missing a destination ref'),
    ...problem(!value.includes('*'), 'branch', 'Refspecs may not contain wildcards; source and destination refs must be exact'),
  ];
}

/** Equal for materials that are the same repository, whatever else is said about them. */
export function materialIdentity({ type, attributes }: Material): string {
  const parts: Readonly<Record<MaterialType, () => readonly unknown[]>> = {
    git: () => [identityOf((attributes as Of<'git'>).url), (attributes as Of<'git'>).branch],
    hg: () => [identityOf((attributes as Of<'hg'>).url), (attributes as Of<'hg'>).branch],
    svn: () => [identityOf((attributes as Of<'svn'>).url), (attributes as Of<'svn'>).username, (attributes as Of<'svn'>).checkExternals],
    p4: () => [(attributes as Of<'p4'>).port, (attributes as Of<'p4'>).username, (attributes as Of<'p4'>).view],
    tfs: () => [
      identityOf((attributes as Of<'tfs'>).url),
      (attributes as Of<'tfs'>).username,
      (attributes as Of<'tfs'>).domain,
      (attributes as Of<'tfs'>).projectPath,
    ],
  };
  return JSON.stringify([CLASS_NAMES[type], ...parts[type]()]);
}

type Of<T extends MaterialType> = Extract<Material, { type: T }>['attributes'];

/** What stands for the repository in messages. */
export function shownMaterial({ attributes }: Material): string {
  return 'url' in attributes ? shownUrl(attributes.url) : (attributes.port ?? '');
}

function omittedWhenUnset(field: Field<string | null>): Field<string | null> {
  return {
    ...field,
    write: (value, name, out) => {
      if (value !== null && value !== '') out[name] = value;
    },
  };
}
