// A push that a webhook of a hosting service reports: the branches, and the addresses by which the repository is known.
import { withoutUserInfo } from '../notify/notified.ts';

export interface Push {
  /** Empty when something else than a branch was pushed. */
  readonly branches: readonly string[];
  /** Without credentials, in lower case. */
  readonly urls: ReadonlySet<string>;
}

/** The payload is invalid; the message says why. */
export class BadPayload extends Error {}

const BRANCH = 'refs/heads/';

export function githubPush(payload: unknown): Push {
  const host = hostOf(textAt(payload, 'repository', 'html_url'));
  return { branches: branchesIn(textAt(payload, 'ref')), urls: addressesOf(host, textAt(payload, 'repository', 'full_name')) };
}

/** The rest (labels, comments, reviewers) changes nothing that is read from the repository. */
const GITHUB_ACTIONS = ['opened', 'closed', 'reopened'];

export function ignoredGithubAction(payload: unknown): string | undefined {
  const action = textAt(payload, 'action').slice(0, 100);
  return GITHUB_ACTIONS.includes(action) ? undefined : action;
}

export function gitlabPush(payload: unknown): Push {
  const host = hostOf(textAt(payload, 'project', 'http_url'));
  const path = textAt(payload, 'project', 'path_with_namespace');
  return { branches: branchesIn(textAt(payload, 'ref')), urls: addressesOf(host, path, ['git', 'gitlab']) };
}

export function bitbucketPush(payload: unknown): Push {
  mustBeGit(textAt(payload, 'repository', 'scm'));
  const host = hostOf(textAt(payload, 'repository', 'links', 'html', 'href'));
  // Of a branch that was deleted there is nothing new.
  const created = listAt(payload, 'push', 'changes').flatMap((change) => valueAt(change, 'new') ?? []);
  const branches = created.filter((one) => valueAt(one, 'type') === 'branch').map((one) => textAt(one, 'name'));
  return { branches: [...new Set(branches)], urls: addressesOf(host, textAt(payload, 'repository', 'full_name')) };
}

export function hostedBitbucketPush(payload: unknown): Push {
  mustBeGit(textAt(payload, 'repository', 'scmId'));
  const refs = listAt(payload, 'changes').map((change) => valueAt(change, 'ref'));
  const branches = refs.filter((ref) => valueAt(ref, 'type') === 'BRANCH').map((ref) => textAt(ref, 'displayId'));
  const links = listAt(payload, 'repository', 'links', 'clone').map((link) => textAt(link, 'href'));
  return { branches: [...new Set(branches)], urls: new Set(links.flatMap((link) => spellingsOf(withoutUserInfo(link).toLowerCase()))) };
}

function branchesIn(ref: string): string[] {
  return ref.startsWith(BRANCH) ? [ref.slice(BRANCH.length)] : [];
}

function addressesOf(host: string, path: string, users: readonly string[] = ['git']): ReadonlySet<string> {
  const starts = [...['https', 'http', 'git', 'ssh'].map((scheme) => `${scheme}://${host}/`), ...users.map((user) => `${user}@${host}:`)];
  return new Set(starts.flatMap((start) => spellingsOf(`${start}${path}`.toLowerCase())));
}

function spellingsOf(url: string): string[] {
  const plain = url.replace(/\/$/, '').replace(/\.git$/, '');
  return [plain, `${plain}/`, `${plain}.git`, `${plain}.git/`];
}

function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new BadPayload(`\`${url.slice(0, 200)}\` is not a URL`);
  return new URL(url).host;
}

function mustBeGit(scm: string): void {
  if (scm !== 'git') throw new BadPayload(`only git repositories are supported, not \`${scm.slice(0, 100)}\``);
}

function valueAt(from: unknown, ...path: readonly string[]): unknown {
  let value = from;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function textAt(from: unknown, ...path: readonly string[]): string {
  const value = valueAt(from, ...path);
  if (typeof value !== 'string' || value === '') throw new BadPayload(`\`${path.join('.')}\` is missing`);
  return value;
}

function listAt(from: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(from, ...path);
  if (!Array.isArray(value)) throw new BadPayload(`\`${path.join('.')}\` is missing`);
  return value;
}
