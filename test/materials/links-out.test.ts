// Links inside a repository of an allowed folder do not lead out of it, through the real programs.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { MaterialClient, PollContext, PolledMaterial } from '../../src/materials/clients/client.ts';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import { hgClient } from '../../src/materials/types/hg/hg-client.ts';
import { svnClient } from '../../src/materials/types/svn/svn-client.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { GitOrigin } from './support/git-origin.ts';
import { HgOrigin } from './support/hg-origin.ts';
import { Lab, pollAll } from './support/polling.ts';
import { SvnOrigin } from './support/svn-origin.ts';

const lab = new Lab();
const allowed = lab.newPath('allowed');
const elsewhere = lab.newPath('elsewhere');
const OUTSIDE = /^Error: The address does not lead into a folder of SLIPWAY_LOCAL_REPOSITORIES/;

before(async () => {
  await ensureDebianPackages(['git', 'mercurial', 'subversion']);
  for (const folder of [allowed, elsewhere]) mkdirSync(folder);
});
after(() => lab.remove());

const rules = (more: Partial<PollContext> = {}): PollContext => ({ ...lab.context(), localFolders: [allowed], ...more });

interface Kind {
  readonly client: MaterialClient<never>;
  material(path: string): PolledMaterial;
}

const git: Kind = { client: gitClient, material: (url) => ({ type: 'git', fingerprint: 'f', url, branch: 'main' }) };
/** Git by an address whose files the server does not read itself: git does it all. */
const gitAlone: Kind = { client: gitClient, material: (path) => git.material(`file://${path.replaceAll('-', '%2d')}`) };
const hg: Kind = { client: hgClient, material: (url) => ({ type: 'hg', fingerprint: 'f', url }) };
const svn: Kind = {
  client: svnClient,
  material: (path) => ({ type: 'svn', fingerprint: 'f', url: `file://${path}/trunk`, checkExternals: false }),
};

const newest = async ({ client, material }: Kind, path: string, context = rules()) =>
  (await pollAll(client, material(path) as never, undefined, context))[0]?.revision;

/** All that reads it. */
async function mustBeRefused({ client, material }: Kind, path: string, revision: string, reason = OUTSIDE, more = {}): Promise<void> {
  const polled = material(path) as never;
  for (const attempt of [
    () => pollAll(client, polled, undefined, rules(more)),
    () => client.checkConnection(polled, rules(more)),
    () => client.checkOut!(polled, revision, lab.newPath('into'), rules(more)),
  ])
    await assert.rejects(attempt, reason, `${path} ${attempt}`);
}

/** Puts a part of a repository elsewhere, and a link in its place. */
function moveOut(repository: string, part: string, to = elsewhere): void {
  const moved = join(to, `${part.replaceAll('/', '_')}-${readdirSync(to).length}`);
  renameSync(join(repository, part), moved);
  symlinkSync(moved, join(repository, part));
}

let copies = 0;
const copyOf = (path: string): string => {
  const copy = join(allowed, `copy-${++copies}`);
  cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

describe('git', () => {
  let origin: GitOrigin;
  let revision: string;
  before(async () => {
    origin = await GitOrigin.make(join(allowed, 'git-whole'));
    revision = await origin.commit('one', { 'a.txt': 'a' });
    await origin.run('branch', 'feature/x');
  });
  const object = () => `${revision.slice(0, 2)}/${revision.slice(2)}`;

  test('links in place of objects, their folders and refs are refused', async () => {
    const parts = [
      `objects/${revision.slice(0, 2)}`,
      `objects/${object()}`,
      'objects',
      'refs/heads/main',
      'refs/heads/feature',
      'refs/heads/feature/x',
      'refs/tags',
      'HEAD',
    ];
    for (const part of parts) {
      const linked = copyOf(origin.path);
      moveOut(join(linked, '.git'), part);
      for (const kind of [git, gitAlone]) await mustBeRefused(kind, linked, revision);
    }
  });

  test('a link out of the folder by way of another place in it is refused', async () => {
    const linked = copyOf(origin.path);
    const near = join(allowed, 'near');
    mkdirSync(near);
    moveOut(join(linked, '.git'), `objects/${object()}`);
    moveOut(join(linked, '.git'), `objects/${revision.slice(0, 2)}`, near);
    await mustBeRefused(git, linked, revision);
  });

  test('a ref that is a link out of the folder is refused at every poll, also without news', async () => {
    const linked = copyOf(origin.path);
    moveOut(join(linked, '.git'), 'refs/heads/main');
    await assert.rejects(pollAll(gitClient, git.material(linked) as never, revision, rules()), OUTSIDE);
  });

  test('submodules with links out of the folder are refused', async () => {
    const linked = copyOf(origin.path);
    moveOut(join(linked, '.git'), `objects/${object()}`);
    const app = await GitOrigin.make(join(allowed, 'git-app'));
    writeFileSync(join(app.path, '.gitmodules'), `[submodule "m"]\n\tpath = m\n\turl = ${linked}\n`);
    await app.run('add', '--all');
    await app.run('update-index', '--add', '--cacheinfo', `160000,${revision},m`);
    await app.run('commit', '--quiet', '-m', 'app');
    const asked = gitClient.checkOut!(git.material(app.path) as never, await app.tip(), lab.newPath('into'), rules());
    await assert.rejects(asked, OUTSIDE);
  });

  test('links that stay in the folder, and links among the files of a commit, are allowed', async () => {
    const near = join(allowed, 'shared');
    mkdirSync(near);
    const linked = copyOf(origin.path);
    moveOut(join(linked, '.git'), `objects/${revision.slice(0, 2)}`, near);
    moveOut(join(linked, '.git'), 'refs/heads/main', near);
    symlinkSync('/etc', join(linked, 'etc'));
    symlinkSync('gone', join(linked, '.git', 'refs', 'heads', 'dangling'));
    for (const path of [origin.path, linked]) for (const kind of [git, gitAlone]) assert.equal(await newest(kind, path), revision);
    await gitClient.checkOut!(git.material(origin.path) as never, revision, lab.newPath('into'), rules());
  });

  test('a user who may name any path may name a repository with such links, unless they lead into the data directory', async () => {
    const free = lab.newPath('free');
    cpSync(origin.path, free, { recursive: true });
    moveOut(join(free, '.git'), `objects/${object()}`);
    assert.equal(await newest(git, free), revision);
    await mustBeRefused(git, free, revision, /leads into the data directory/, { closedTo: elsewhere });
    await mustBeRefused(git, free, revision, OUTSIDE, { isLimitedToFolders: true });
  });
});

describe('svn', () => {
  let origin: SvnOrigin;
  before(async () => {
    origin = await SvnOrigin.make(join(allowed, 'svn-whole'));
    origin.load([{ message: 'one', added: { trunk: null, 'trunk/a.txt': 'a' } }]);
  });

  test('links in place of the database, or of any part of it, are refused', async () => {
    for (const part of ['db', 'db/revs', 'db/revs/0', 'db/revs/0/1', 'db/revprops', 'db/revprops/0/1', 'db/current', 'format']) {
      const linked = copyOf(origin.path);
      moveOut(linked, part);
      await mustBeRefused(svn, linked, '1');
    }
  });

  test('repositories whose hooks and settings alone are links are polled', async () => {
    const linked = copyOf(origin.path);
    for (const part of ['hooks', 'conf']) moveOut(linked, part);
    for (const path of [origin.path, linked]) assert.equal(await newest(svn, path), '1');
  });

  test('a repository that begins above the allowed folder is refused', async () => {
    await mustBeRefused(svn, origin.path, '1', OUTSIDE, { localFolders: [join(origin.path, 'trunk')] });
  });
});

describe('hg', () => {
  let origin: HgOrigin;
  let revision: string;
  before(async () => {
    origin = await HgOrigin.make(join(allowed, 'hg-whole'));
    revision = await origin.commit('one', { 'folder/a.txt': 'a' });
  });

  test('links in place of the store, or of any part of it, are refused', async () => {
    for (const part of ['store', 'store/data', 'store/data/folder', 'store/data/folder/a.txt.i', 'store/00manifest.i']) {
      const linked = copyOf(origin.path);
      moveOut(join(linked, '.hg'), part);
      await mustBeRefused(hg, linked, revision);
    }
  });

  test('links in the store of another repository that is shared are refused', async () => {
    const linked = copyOf(origin.path);
    moveOut(join(linked, '.hg'), 'store/data/folder/a.txt.i');
    const sharing = copyOf(origin.path);
    rmSync(join(sharing, '.hg', 'store'), { recursive: true });
    writeFileSync(join(sharing, '.hg', 'sharedpath'), `${join(linked, '.hg')}\n`);
    writeFileSync(join(sharing, '.hg', 'requires'), 'shared\nstore\nfncache\ndotencode\ngeneraldelta\nrevlogv1\nsparserevlog\n');
    await mustBeRefused(hg, sharing, revision);
  });

  test('repositories without links are polled, also while another process holds a lock', async () => {
    const locked = copyOf(origin.path);
    symlinkSync('host:12345', join(locked, '.hg', 'wlock'));
    for (const path of [origin.path, locked]) assert.equal(await newest(hg, path), revision);
  });
});
