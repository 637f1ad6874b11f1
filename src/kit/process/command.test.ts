import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS, withGrowingLimits } from '../../../test/support/patience.ts';
import { isAlive, untilDead } from '../../../test/support/server/alive.ts';
import { CommandFailure, CommandStopped, ProgramMissing, runCommand, streamCommand, streamRecords } from './command.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-command-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? '' };
const sh = (script: string, ...args: string[]) => ['sh', ['-c', script, 'sh', ...args]] as const;

/** A script that has a child of its own, which does not hear SIGTERM, and writes down both. */
function family(name: string): { readonly script: string; pids(): number[]; started(): Promise<number[]> } {
  const file = join(directory, name);
  const script = `(trap '' TERM; while :; do sleep 0.1; done) & echo $! $$ > ${file}; echo ready; wait`;
  const pids = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []);
  const started = async () => {
    while (pids().length === 0) await pause(5);
    return pids();
  };
  return { script, pids, started };
}

describe('running a program to its end', () => {
  test('gives its output, without a shell and with nothing inherited', async () => {
    process.env.SLIPWAY_LEAKS = 'yes';
    const { stdout, stderr } = await runCommand(...sh('cat; echo "$1"; echo oops >&2; env', '$(id) "quoted" *'), {
      env: { PATH: env.PATH, ONLY: 'this' },
      cwd: directory,
      input: 'from outside\n',
    });
    delete process.env.SLIPWAY_LEAKS;
    assert.match(stdout, /^from outside\n\$\(id\) "quoted" \*\n/);
    assert.match(stdout, /^ONLY=this$/m);
    assert.doesNotMatch(stdout, /SLIPWAY_LEAKS|^HOME=/m);
    assert.equal(stderr, 'oops');
  });

  test('bytes that are not UTF-8 are replaced', async () => {
    assert.equal((await runCommand(...sh("printf 'a\\377b'"), { env })).stdout, 'a\ufffdb');
  });

  test('a program that does not read its input is no failure', async () => {
    assert.equal((await runCommand('true', [], { env, input: 'x'.repeat(1_000_000) })).stdout, '');
  });

  test('a failure includes the status and the end of the complaint, without secrets', async () => {
    const script = 'yes "line of noise" | head -n 5000 >&2; echo "cannot log in with swordfish" >&2; exit 42';
    await assert.rejects(
      runCommand(...sh(script), { env, redact: (text) => text.replaceAll('swordfish', '******') }),
      (failure: CommandFailure) => {
        assert.ok(failure instanceof CommandFailure);
        assert.equal(failure.exitCode, 42);
        assert.match(failure.message, /^sh ended with status 42: /);
        assert.match(failure.stderr, /cannot log in with \*{6}$/);
        assert.ok(failure.stderr.length < 10_000);
        assert.doesNotMatch(JSON.stringify([failure, failure.message, failure.stack]), /swordfish/);
        return true;
      },
    );
  });

  test('a program that a signal ended is a failure with that signal', async () => {
    await assert.rejects(runCommand(...sh('kill -KILL $$'), { env }), /^Error: sh was ended by SIGKILL\./);
  });

  test('a missing program or directory is a failure that names it', async () => {
    await assert.rejects(runCommand('no-such-program', [], { env }), (failure: ProgramMissing) => {
      assert.ok(failure instanceof ProgramMissing);
      assert.equal(failure.program, 'no-such-program');
      return /^The program no-such-program cannot be found on this server\./.test(failure.message);
    });
    await assert.rejects(runCommand('true', [], { env, cwd: join(directory, 'nowhere') }), /There is no directory .*nowhere/);
    writeFileSync(join(directory, 'plain'), 'text');
    await assert.rejects(runCommand(join(directory, 'plain'), [], { env }), /cannot be started: EACCES/);
  });

  test('a background process that holds the output does not keep the caller waiting', async () => {
    const startedAt = performance.now();
    const { stdout } = await runCommand(...sh('setsid sleep 3000 & echo $!'), { env });
    assert.ok(performance.now() - startedAt < PATIENCE_MS);
    process.kill(Number(stdout));
  });

  test('background processes of the group are killed, if none may be left', async () => {
    const { stdout } = await runCommand(...sh('sleep 300 & echo $!'), { env, killsDescendants: true });
    await untilDead(Number(stdout));
  });

  test('each output of the program is reported as activity', async () => {
    const heard = join(directory, 'heard');
    const script = 'echo a >&2; until [ -e "$1" ]; do sleep 0.01; done';
    await runCommand(...sh(script, heard), { env, onActivity: () => writeFileSync(heard, '') });
  });
});

describe('stopping', () => {
  test('a program that takes too long ends with its whole group, even if it ignores the first signal', async () => {
    await withGrowingLimits(async (factor) => {
      const { script, pids } = family(`timeout-${factor}`);
      await assert.rejects(runCommand(...sh(script), { env, timeoutMs: factor * 500 }), (failure: CommandStopped) => {
        assert.equal(failure.reason, 'timeout');
        return failure.message === `sh was stopped: it took longer than ${factor * 0.5} seconds.`;
      });
      assert.equal(pids().length, 2, 'it was stopped before it had begun');
      for (const pid of pids()) await untilDead(pid);
    });
  });

  test('a program that is silent too long ends, one that prints now and then goes on', async () => {
    await withGrowingLimits((factor) => {
      const script = `for i in 1 2 3 4 5 6; do echo a >&2; sleep ${factor * 0.2}; echo b; done`;
      return runCommand(...sh(script), { env, silenceMs: factor * 900 });
    });
    await assert.rejects(
      runCommand(...sh('echo a; sleep 30'), { env, silenceMs: 300, timeoutMs: PATIENCE_MS }),
      (failure: CommandStopped) => {
        assert.equal(failure.reason, 'silence');
        return failure.message === 'sh was stopped: it printed nothing for 0.3 seconds.';
      },
    );
  });

  test('a program that ignores the first signal ends with the second', async () => {
    await assert.rejects(runCommand(...sh("trap '' TERM; while :; do sleep 0.1; done"), { env, timeoutMs: 50 }), CommandStopped);
  });

  test('a program ends when it is aborted during the run or before it', async () => {
    const { script, started } = family('abort');
    const controller = new AbortController();
    const running = runCommand(...sh(script), { env, signal: controller.signal });
    const pids = await started();
    controller.abort();
    await assert.rejects(running, (failure: CommandStopped) => failure.reason === 'aborted');
    for (const pid of pids) await untilDead(pid);
    await assert.rejects(runCommand('sleep', ['5'], { env, signal: controller.signal }), CommandStopped);
  });

  test('a program that prints too much ends', async () => {
    await assert.rejects(runCommand('yes', [], { env, maxOutputBytes: 100_000 }), (failure: CommandStopped) => {
      assert.equal(failure.reason, 'output');
      return failure.message === 'yes was stopped: it printed more than 100000 bytes.';
    });
  });

  test('endless complaints fill no memory and end with the time', async () => {
    const before = process.memoryUsage.rss();
    await assert.rejects(runCommand(...sh('exec yes >&2'), { env, timeoutMs: 300 }), CommandStopped);
    assert.ok(process.memoryUsage.rss() - before < 200 * 1024 * 1024);
  });
});

describe('the processes in between', () => {
  const launchersOf = (parent: number) =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => isAlive(pid) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(parent))
      .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('command-launcher'));

  test('start again when they have ended', async () => {
    const running = runCommand('sleep', ['30'], { env });
    while (launchersOf(process.pid).length === 0) await pause(10);
    for (const launcher of launchersOf(process.pid)) process.kill(launcher, 'SIGKILL');
    await assert.rejects(running, /cannot be started: the process that starts programs has ended/);
    // There may have been two, and the end of the idle one is not known yet.
    while (launchersOf(process.pid).length > 0) await pause(10);
    assert.equal((await runCommand('echo', ['again'], { env })).stdout, 'again\n');
  });

  test('are one or two, however many commands are wanted at once, and each command gets its answer', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => runCommand('echo', [String(index)], { env })));
    assert.deepEqual(
      answers.map(({ stdout }) => stdout),
      Array.from({ length: 30 }, (_, index) => `${index}\n`),
    );
    assert.equal(launchersOf(process.pid).length, 2);
  });

  test('have nothing of the environment of the server', async () => {
    await runCommand('true', [], { env });
    const [launcher] = launchersOf(process.pid);
    assert.doesNotMatch(readFileSync(`/proc/${launcher}/environ`, 'latin1'), /HOME=|PATH=/);
  });

  test('programs end with the server, however that ends', async () => {
    const { script, started } = family('orphans');
    const source = `import { runCommand } from ${JSON.stringify(join(import.meta.dirname, 'command.ts'))};
      runCommand('sh', ['-c', ${JSON.stringify(script)}], { env: ${JSON.stringify(env)} });`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' });
    const pids = await started();
    assert.ok(pids.every(isAlive));
    server.kill('SIGKILL');
    for (const pid of pids) await untilDead(pid);
  });

  test('words that cannot be handed on are a failure like any other, which does not repeat them', async () => {
    await assert.rejects(runCommand('true', ['swordfish\0'], { env }), (failure: Error) => {
      assert.equal(failure.message, 'The program true cannot be given a text that holds a NUL character.');
      return !failure.message.includes('swordfish');
    });
    assert.equal((await runCommand('echo', ['fine'], { env })).stdout, 'fine\n');
  });

  test('starting a program takes the server no time, however large it is', async () => {
    const middleDelay = async () => {
      const delays: number[] = [];
      for (let turn = 0; turn < 20; turn++) {
        const startedAt = performance.now();
        const running = runCommand('true', [], { env });
        delays.push(performance.now() - startedAt);
        await running;
      }
      return delays.toSorted((one, other) => one - other)[10]!;
    };
    await middleDelay();
    await withGrowingLimits(async () => {
      const small = await middleDelay();
      const ballast = Array.from({ length: 5 }, () => Buffer.alloc(100 * 1024 * 1024, 1));
      const large = await middleDelay();
      assert.equal(ballast.length, 5);
      assert.ok(large < Math.max(2, 5 * small), `${small} ms, and with much memory ${large} ms`);
    });
  });
});

describe('output piece by piece', () => {
  test('comes whole, however slowly it is read, and slow reading does not use up the time', async () => {
    await withGrowingLimits(async (factor) => {
      let bytes = 0;
      let pauses = 3;
      for await (const chunk of streamCommand(...sh('head -c 3000000 /dev/zero'), { env, timeoutMs: factor * 1_000 })) {
        bytes += chunk.length;
        if (pauses-- > 0) await pause(factor * 500);
      }
      assert.equal(bytes, 3_000_000);
    });
  });

  test('a caller that stops reading ends the program', async () => {
    const { script, started } = family('break');
    for await (const _ of streamCommand(...sh(script), { env })) break;
    for (const pid of await started()) await untilDead(pid);
  });

  test('a failure comes after the output', async () => {
    const chunks: string[] = [];
    await assert.rejects(async () => {
      for await (const chunk of streamCommand(...sh('echo some; exit 3'), { env })) chunks.push(String(chunk));
    }, CommandFailure);
    assert.deepEqual(chunks, ['some\n']);
  });

  test('records, cut where they are too long, with separators across chunks', async () => {
    const records: string[] = [];
    const script =
      "printf 'one<->tw'; sleep 0.05; printf 'o<'; sleep 0.05; printf -- '->'; head -c 500000 /dev/zero | tr '\\0' x; printf '<-><->last'";
    for await (const some of streamRecords(...sh(script), { env, separator: '<->', maxRecordBytes: 1000 })) records.push(...some);
    assert.deepEqual(records, ['one', 'two', 'x'.repeat(1000), '', 'last']);
  });
});
