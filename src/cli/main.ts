// Where the command line begins.
import { COMMANDS } from './commands.ts';
import { shownText } from './output/shown-text.ts';
import { runCommandLine } from './run-command-line.ts';

const { INIT_CWD, npm_lifecycle_event: script } = process.env;

// The reader of the output may have closed the pipe: `… export | head`.
process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
  if (failure.code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${failure.message}\n`);
  process.exit(1);
});

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), COMMANDS, {
    environment: process.env,
    // npm changes to the folder of the installation, and says where it was called.
    directory: script === 'slipway' && INIT_CWD ? INIT_CWD : process.cwd(),
    input: process.stdin,
    out: process.stdout,
    err: process.stderr,
  });
} catch (failure) {
  process.stderr.write(`This is a fault of Slipway. ${shownText((failure as Error).stack ?? String(failure))}\n`);
  process.exitCode = 1;
}
