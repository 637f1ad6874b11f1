// Starts the server from the command line.
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { readSettings, type Settings } from './server/settings.ts';

const verdict = readSettings(process.argv.slice(2), process.env);
if ('help' in verdict) {
  process.stdout.write(verdict.help);
} else if ('problem' in verdict) {
  process.stderr.write(`${verdict.problem}\n`);
  process.exitCode = 2;
} else {
  try {
    await start(verdict.settings);
  } catch (failure) {
    process.stderr.write(`Slipway could not start. ${(failure as Error).message}\n`);
    process.exitCode = 1;
  }
}

async function start(settings: Settings): Promise<void> {
  process.umask(0o077); // files the server writes are for its own user
  // Compiled code is kept in the data directory, which is the server's alone; the rest is loaded only now, so that it profits.
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  enableCompileCache(join(settings.dataDir, 'compile-cache'));
  const { prepareInitialPassword } = await import('./server/first-start/prepare-initial-password.ts');
  const initialPassword = prepareInitialPassword(settings);
  const [{ openLog }, { startServer }] = await Promise.all([import('./kit/log.ts'), import('./server/server.ts')]);
  const server = await startServer(settings, openLog(settings.logLevel), { initialPassword });
  // Before anything is printed: a user or script that reads that the server is ready may stop it.
  // A signal may come twice, from the terminal and from npm; the second must not cut off the work that the first lets finish.
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!isStopping) void server.stop();
      isStopping = true;
    });
  }
  const { initialAdmin, startsInMaintenance } = server;
  const lines = [`Slipway is ready at ${server.addresses.join(' and ')}`, `Data directory: ${settings.dataDir}`];
  if (initialAdmin?.isGenerated) {
    lines.push(`Administrator: admin, password: ${initialAdmin.password} (also in initial-admin-password in the data directory)`);
  } else if (initialAdmin) {
    lines.push('Administrator: admin, with the password you chose');
  }
  if (startsInMaintenance) lines.push('Maintenance mode is on: until it is switched off, changes are refused and nothing periodic runs');
  process.stdout.write(`${lines.join('\n')}\n`);
}
