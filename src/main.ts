// Starts the server from the command line.
import { openLog } from './kit/log.ts';
import { startServer } from './server.ts';
import { readSettings } from './settings.ts';

const verdict = readSettings(process.argv.slice(2), process.env);
if ('help' in verdict) {
  process.stdout.write(verdict.help);
} else if ('problem' in verdict) {
  process.stderr.write(`${verdict.problem}\n`);
  process.exitCode = 2;
} else {
  const { settings } = verdict;
  const log = openLog(settings.logLevel);
  try {
    const server = await startServer(settings, log);
    const { initialAdmin } = server;
    const lines = [`Slipway is ready at ${server.addresses.join(' and ')}`, `Data directory: ${settings.dataDir}`];
    if (initialAdmin?.isGenerated)
      lines.push(`Administrator: admin, password: ${initialAdmin.password} (also in initial-admin-password in the data directory)`);
    else if (initialAdmin) lines.push('Administrator: admin, with the password you chose');
    process.stdout.write(`${lines.join('\n')}\n`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.stop());
  } catch (failure) {
    process.stderr.write(`Slipway could not start. ${(failure as Error).message}\n`);
    process.exitCode = 1;
  }
}
