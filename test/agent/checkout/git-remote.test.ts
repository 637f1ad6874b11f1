// Git repositories that want a login, are elsewhere, or cannot be had at all.
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type GitHttp, startGitHttp } from '../../materials/support/git-http.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { installStandIn } from '../../materials/support/stand-in.ts';
import { git } from '../../support/git.ts';
import { untilDead } from '../../support/server/alive.ts';
import { until } from '../../support/until.ts';
import { gitWork, Lab } from './support.ts';

const LOGIN = { username: 'ann', password: 'p@ss w%rd' };

let lab: Lab;
let origin: GitOrigin;
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  lab = new Lab();
  origin = await GitOrigin.make(lab.path('served', 'app'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  lab.end();
});

async function serve(login: Partial<typeof LOGIN> = LOGIN): Promise<GitHttp> {
  const server = await startGitHttp({ root: lab.path('served'), ...login });
  ends.push(() => server.stop());
  return server;
}

test('the login is used, and shown nowhere', async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  const { url } = await serve();
  await lab.checkOut(gitWork(`${url}/app`, tip, LOGIN));
  assert.equal(lab.read('a.txt'), 'one');
  const second = await origin.commit('two', { 'a.txt': 'two' });
  await lab.checkOut(gitWork(`${url.replace('//', `//ann:${encodeURIComponent(LOGIN.password)}@`)}/app`, second, { fingerprint: 'f2' }));
  assert.equal(lab.read('a.txt'), 'two');
  assert.doesNotMatch(lab.console, /p@ss|p%40ss/);
  assert.deepEqual(lab.filesWith(/p@ss|p%40ss/), []);
});

test('a wrong login and a repository that is not there are distinguished', async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  const { url } = await serve();
  for (const login of [{}, { username: 'ann', password: 'wrong secret' }])
    await assert.rejects(lab.checkOut(gitWork(`${url}/app`, tip, login)), (failure: Error) => {
      assert.match(failure.message, /^The login was refused by the repository: correct the user name and the password/);
      assert.doesNotMatch(lab.console + failure.message, /wrong secret/);
      return true;
    });
  await assert.rejects(
    lab.checkOut(gitWork(`${url}/none`, tip, LOGIN)),
    /^Error: There is no repository at the repository: correct the address/,
  );
  await assert.rejects(lab.checkOut(gitWork(lab.path('none'), tip)), /There is no repository at the repository/);
  await assert.rejects(
    lab.checkOut(gitWork('http://127.0.0.1:1/app', tip)),
    /^Error: This agent cannot reach the repository: check the network/,
  );
  await assert.rejects(lab.checkOut(gitWork(`${url}/app`, tip, { ...LOGIN, password: 'a\nb' })), /cannot hold a line break/);
});

test('submodules are checked out with their own submodules, or the named one alone', async () => {
  const inner = await GitOrigin.make(lab.path('inner'));
  await inner.commit('inner', { 'inner.txt': 'inner' });
  const middle = await GitOrigin.make(lab.path('middle'));
  await middle.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'inner');
  await middle.commit('middle', { 'middle.txt': 'middle' });
  for (const name of ['one', 'two']) await origin.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', middle.path, name);
  const first = await origin.commit('with submodules');
  await lab.checkOut(gitWork(origin.path, first, { submodule_folder: 'two' }));
  assert.deepEqual([lab.read('one/middle.txt'), lab.read('two/inner/inner.txt')], [undefined, 'inner']);
  await lab.checkOut(gitWork(origin.path, first));
  assert.equal(lab.read('one/inner/inner.txt'), 'inner');
  lab.write('one/left.txt', 'x');
  lab.write('one/middle.txt', 'changed');
  lab.write('one/inner/left.txt', 'x');
  await middle.commit('newer', { 'middle.txt': 'newer' });
  await git(join(origin.path, 'one'), '-c', 'protocol.file.allow=always', 'pull', '--quiet');
  const second = await origin.commit('newer submodule');
  const mark = lab.in('.git', 'modules', 'two', 'modules', 'inner', 'mark');
  writeFileSync(mark, '');
  await lab.checkOut(gitWork(origin.path, second));
  assert.equal(existsSync(mark), true, 'what is there is not brought again');
  assert.deepEqual(
    [lab.read('one/middle.txt'), lab.read('two/middle.txt'), lab.read('one/left.txt'), lab.read('one/inner/left.txt')],
    ['newer', 'middle', undefined, undefined],
  );
  // A git that was killed while it cloned.
  rmSync(lab.in('.git', 'modules', 'one', 'HEAD'));
  await lab.checkOut(gitWork(origin.path, second));
  assert.equal(lab.read('one/inner/inner.txt'), 'inner');
  await lab.checkOut(gitWork(origin.path, first));
  assert.equal(lab.read('one/middle.txt'), 'middle');
  // A failure that new copies would not fix leaves the copies alone.
  lab.write('ignored/x', 'x');
  await assert.rejects(
    lab.checkOut(gitWork(origin.path, first, { submodule_folder: 'none' })),
    /git failed at the checkout .*did not match/,
  );
  assert.doesNotMatch(lab.console, /made anew/);
});

test('a submodule gets the login at the same host only, and nothing of this machine', async () => {
  const lib = await GitOrigin.make(lab.path('served', 'lib'));
  await lib.commit('lib', { 'lib.txt': 'lib' });
  const { url } = await serve();
  const elsewhere = await serve();
  const at = async (address: string) => {
    writeFileSync(join(origin.path, '.gitmodules'), `[submodule "lib"]\n\tpath = lib\n\turl = ${address}\n`);
    await origin.run('update-index', '--add', '--cacheinfo', `160000,${await lib.tip()},lib`);
    await origin.run('add', '.gitmodules');
    await origin.run('commit', '--quiet', '-m', address);
    return origin.tip();
  };
  await lab.checkOut(gitWork(`${url}/app`, await at('../lib'), LOGIN));
  assert.equal(lab.read('lib/lib.txt'), 'lib');
  await assert.rejects(
    lab.checkOut(gitWork(`${url}/app`, await at(`${elsewhere.url}/lib`), { ...LOGIN, destination: 'b' })),
    /The login was refused/,
  );
  for (const address of [lib.path, `file://${lib.path}`, `ext::sh -c touch% ${lab.path('run')}`])
    await assert.rejects(
      lab.checkOut(gitWork(`${url}/app`, await at(address), { ...LOGIN, destination: 'c' })),
      /git failed at the checkout/,
    );
  assert.equal(existsSync(lab.path('run')), false);
  assert.equal(lab.read('c/lib/lib.txt'), undefined);
});

test('the output of the program is shown line by line, without secrets', async () => {
  const said = String.raw`
    process.stdout.write('one p@ss');
    setTimeout(() => { process.stdout.write(' w%rd end\ntwo\rover\r\n'); process.stderr.write('p%40ss%20w%25rd ' + 'x'.repeat(70000 - 20) + '\nlast'); process.exitCode = 3; }, 30);
  `;
  const fake = installStandIn('git', said, lab.path('fake'));
  ends.push(() => fake.restore());
  await assert.rejects(lab.checkOut(gitWork('https://host/app', '1'.repeat(40), LOGIN)), {
    message: 'git failed at the checkout of the repository: see what it said in the console (last).',
  });
  assert.deepEqual(lab.out, ['one ****** end', 'over']);
  assert.match(lab.err[0]!, /^\*{6} x+$/);
  assert.equal(lab.err.at(-1), 'last');
});

test('programs carry the mark of the job, and nothing of the environment of the agent', async () => {
  const dump = lab.path('seen');
  const fake = installStandIn(
    'git',
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(dump)}, JSON.stringify(process.env));`,
    lab.path('fake'),
  );
  ends.push(
    () => fake.restore(),
    () => delete process.env.SLIPWAY_OF_AGENT,
  );
  process.env.SLIPWAY_OF_AGENT = 'secret';
  await lab.checkOut(gitWork('https://host/app', '1'.repeat(40)), { environment: { SLIPWAY_JOB: 'mark' } });
  const { SLIPWAY_JOB, SLIPWAY_OF_AGENT } = JSON.parse(readFileSync(dump, 'utf8'));
  assert.deepEqual([SLIPWAY_JOB, SLIPWAY_OF_AGENT], ['mark', undefined]);
});

test('each program that is missing, and a disk that is full, is reported', async () => {
  const { PATH } = process.env;
  process.env.PATH = lab.path('nothing');
  ends.push(() => (process.env.PATH = PATH));
  await assert.rejects(
    lab.checkOut(gitWork('https://host/app', '1'.repeat(40))),
    /^Error: Install git on this agent: it is not on the PATH/,
  );
  process.env.PATH = PATH;
  const fake = installStandIn('git', 'console.error("fatal: write error: No space left on device"); process.exit(128)', lab.path('fake'));
  ends.push(() => fake.restore());
  await assert.rejects(lab.checkOut(gitWork('https://host/app', '1'.repeat(40))), {
    message: `The disk of this agent is full: free some space for ${lab.pipeline}.`,
  });
});

test('a certificate that is refused may be the fault of the clock of the agent', async () => {
  const said = "fatal: unable to access 'https://host/app/': SSL certificate problem: certificate is not yet valid";
  const fake = installStandIn('git', `console.error(${JSON.stringify(said)}); process.exit(128)`, lab.path('fake'));
  ends.push(() => fake.restore());
  await assert.rejects(
    lab.checkOut(gitWork('https://host/app', '1'.repeat(40))),
    /^Error: The certificate of .* is not accepted by this agent: correct the clock of the agent, or .*\(fatal: .* not yet valid\)\.$/,
  );
});

test('files that the agent may not remove are reported', { skip: process.getuid?.() === 0 }, async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  await lab.checkOut(gitWork(origin.path, tip));
  mkdirSync(lab.in('locked'));
  lab.write('locked/x', 'x');
  chmodSync(lab.in('locked'), 0o500);
  ends.push(() => chmodSync(lab.in('locked'), 0o700));
  await assert.rejects(lab.checkOut(gitWork(origin.path, tip)), /The agent may not change what is in its folders/);
});

test('an abort ends git and all that it started', async () => {
  const pids = lab.path('pids');
  const source = `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
    setInterval(() => {}, 1000);`;
  const fake = installStandIn('git', source, lab.path('fake'));
  ends.push(() => fake.restore());
  const stop = new AbortController();
  const running = lab.checkOut(gitWork('https://host/app', '1'.repeat(40)), { signal: stop.signal });
  const ended = assert.rejects(running, { message: 'The checkout was stopped.' });
  const [own = 0, child = 0] = (await until('the program', () => existsSync(pids) && readFileSync(pids, 'utf8'))).split(' ').map(Number);
  stop.abort();
  await ended;
  for (const pid of [own, child]) await untilDead(pid);
  await assert.rejects(lab.checkOut(gitWork('https://host/app', '1'.repeat(40)), { signal: stop.signal }), {
    message: 'The checkout was stopped.',
  });
});

test('a build cannot have its own program run by the checkout of a submodule, which knows the login', async () => {
  const library = await GitOrigin.make(lab.path('served', 'lib'));
  await library.commit('one', { 'lib.txt': 'one' });
  const { url } = await serve();
  await origin.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib');
  writeFileSync(join(origin.path, '.gitmodules'), `[submodule "lib"]\n\tpath = lib\n\turl = ${url}/lib\n`);
  const first = await origin.commit('with a submodule');
  await lab.checkOut(gitWork(`${url}/app`, first, LOGIN));
  assert.equal(lab.read('lib/lib.txt'), 'one');
  const plant = (folder: string) => {
    appendFileSync(join(folder, 'config'), `[filter "x"]\n\tsmudge = "env > ${lab.path('stolen')}; cat"\n`);
    mkdirSync(join(folder, 'info'), { recursive: true });
    writeFileSync(join(folder, 'info', 'attributes'), '* filter=x\n');
  };
  const plants = {
    'in its settings': () => plant(lab.in('.git', 'modules', 'lib')),
    'in those of another repository': () => {
      cpSync(lab.in('.git', 'modules', 'lib'), lab.path('evil'), { recursive: true });
      writeFileSync(lab.in('lib', '.git'), `gitdir: ${lab.path('evil')}\n`);
      plant(lab.path('evil'));
    },
  };
  for (const [where, begin] of Object.entries(plants)) {
    begin();
    await library.commit(where, { 'lib.txt': where });
    await git(join(origin.path, 'lib'), 'pull', '--quiet');
    await lab.checkOut(gitWork(`${url}/app`, await origin.commit(where), LOGIN));
    assert.deepEqual([lab.read('lib/lib.txt'), existsSync(lab.path('stolen'))], [where, false]);
  }
});
