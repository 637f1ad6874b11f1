// Runs the steps of deploy/Dockerfile in folders made by debootstrap, where there is no Docker, and starts the result. Needs root.
//   node tools/check-dockerfile.ts BASE TARGET WORK
//   BASE: a Debian made by `debootstrap --variant=minbase trixie BASE`; TARGET: server or agent; WORK: a folder for copies of it
// Of each stage it runs RUN and COPY in order, with ARG, ENV and WORKDIR. In place of node:26-slim it takes BASE with this Node and npm.
// The command of the target then runs as its user, on a read-only root filesystem with /tmp and its volume, and is asked as HEALTHCHECK does.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readStages, type Stage } from './release/dockerfile.ts';
import { ROOT } from './release/lockfile.ts';

const [base = '', target = '', work = ''] = process.argv.slice(2);
const stages = readStages(readFileSync(join(ROOT, 'deploy', 'Dockerfile'), 'utf8'));
const made = new Map<string, Image>();
const MAX_START_SECONDS = 120;

interface Image {
  readonly folder: string;
  readonly env: Record<string, string>;
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

function make(stage: Stage): Image {
  const parent = stages.find(({ name }) => name === stage.from);
  const from = parent && (made.get(parent.name) ?? make(parent));
  const folder = join(work, stage.name);
  mkdirSync(folder, { recursive: true });
  run('cp', '--archive', `${from?.folder ?? base}/.`, folder);
  const image = { folder, env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...from?.env } };
  if (stage.from.startsWith('node:')) addNode(folder);
  let directory = '/';
  for (const { word, rest } of stage.steps) {
    if (word === 'WORKDIR') directory = rest;
    if (word === 'WORKDIR') mkdirSync(join(folder, directory), { recursive: true });
    if (word === 'ENV' || word === 'ARG')
      Object.assign(image.env, Object.fromEntries(rest.split(/\s+/).map((one) => one.split(/=(.*)/s).slice(0, 2))));
    if (word === 'COPY') copy(rest, folder, directory);
    if (word === 'RUN') runInside(image, ['sh', '-c', `cd ${directory} && ${rest}`]);
  }
  made.set(stage.name, image);
  return image;
}

/** As the image of Node has them. */
function addNode(folder: string): void {
  cpSync(process.execPath, join(folder, 'usr/local/bin/node'));
  const npm = dirname(
    dirname(execFileSync('readlink', ['-f', execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()], { encoding: 'utf8' })),
  );
  cpSync(npm, join(folder, 'usr/local/lib/npm'), { recursive: true });
  run('ln', '-sf', '../lib/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
  run(
    'chroot',
    folder,
    'sh',
    '-c',
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates libatomic1 >/dev/null',
  );
}

function copy(rest: string, folder: string, directory: string): void {
  const paths = rest.split(' ').filter((word) => !word.startsWith('--'));
  const [, from] = /--from=(\w+)/.exec(rest) ?? [];
  const target = paths.at(-1)!;
  const destination = join(folder, target.startsWith('/') ? '' : directory, target);
  for (const source of paths.slice(0, -1)) {
    const path = join(from === undefined ? ROOT : made.get(from)!.folder, source);
    const into = target.endsWith('./') && !source.endsWith('/') ? join(destination, source) : destination;
    cpSync(path, into, { recursive: true, filter: (one) => !one.endsWith('.test.ts') });
  }
}

/** With the network and the certificates of this machine, as a builder has them. */
function runInside({ folder, env }: Image, command: readonly string[]): void {
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'), { dereference: true });
  const { SSL_CERT_FILE, NODE_EXTRA_CA_CERTS = SSL_CERT_FILE } = process.env;
  const certificates = NODE_EXTRA_CA_CERTS && existsSync(NODE_EXTRA_CA_CERTS) ? { NODE_EXTRA_CA_CERTS: '/tmp/ca.pem' } : {};
  if (certificates.NODE_EXTRA_CA_CERTS) cpSync(NODE_EXTRA_CA_CERTS!, join(folder, 'tmp/ca.pem'));
  const script = 'mount --bind /proc "$0/proc"; chroot "$0" "$@"';
  execFileSync('unshare', ['--mount', 'sh', '-ec', script, folder, ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive', ...certificates },
  });
}

/** On a read-only filesystem, but for /tmp and the volume. */
async function start({ folder, env }: Image, { steps }: Stage): Promise<void> {
  const last = (word: string) => steps.findLast((step) => step.word === word)!.rest;
  const [user, group] = last('USER').split(':') as [string, string];
  const volume = last('VOLUME');
  const script = `mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; mount -t proc proc "$0/proc"; mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
    mount -t tmpfs -o mode=700,uid=${user},gid=${group} tmpfs "$0${volume}"; mount --bind /dev "$0/dev"
    exec chroot --userspec=${user}:${group} "$0" "$@"`;
  const command = [...(JSON.parse(last('ENTRYPOINT')) as string[]), ...(JSON.parse(last('CMD')) as string[])];
  const more = target === 'agent' ? ['--server=http://127.0.0.1:9'] : ['--port=18953', '--local-agents=0'];
  const child = spawn('unshare', ['--mount', '--pid', '--fork', 'sh', '-ec', script, folder, ...command, ...more], { env, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const expected = target === 'agent' ? /cannot be reached/ : /ready at/;
  for (let second = 0; !expected.test(output) && second < MAX_START_SECONDS && child.exitCode === null; second++) await setTimeout(1000);
  process.stdout.write(output);
  if (!expected.test(output)) throw new Error('It did not start.');
  if (target === 'server') {
    const [, check] = /CMD (\[.*\])/s.exec(last('HEALTHCHECK'))!;
    const argv = JSON.parse(check!) as string[];
    run('env', 'SLIPWAY_PORT=18953', process.execPath, ...argv.slice(1));
    process.stdout.write('HEALTHCHECK: healthy\n');
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // Signals to the process with which a namespace begins end it; its child is the program.
  run('pkill', '-TERM', '-P', String(child.pid));
  process.stdout.write(`It ended with ${await ended} after SIGTERM.\n`);
}

const stage = stages.find(({ name }) => name === target);
if (!stage || !existsSync(base) || work === '') throw new Error('Usage: node tools/check-dockerfile.ts BASE server|agent WORK');
make(stages.find(({ name }) => name === 'build')!);
await start(make(stage), stage);
