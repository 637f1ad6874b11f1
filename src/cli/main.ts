// Where the command line begins: each command loads only what it needs.
import { styleText } from 'node:util';

const [, , command, ...rest] = process.argv;
const streams = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
};

switch (command) {
  case 'restore': {
    const { runRestore } = await import('./restore.ts');
    process.exitCode = await runRestore(rest, process.env, streams);
    break;
  }
  case 'audit': {
    const { runAudit } = await import('./audit.ts');
    process.exitCode = await runAudit(rest, process.env, streams);
    break;
  }
  case 'plan':
  case 'apply': {
    const { runPlan } = await import('./plan.ts');
    process.exitCode = await runPlan(command, rest, process.env, {
      ...streams,
      paint: (colour, text) => styleText(colour, text, { stream: process.stdout }),
      paintError: (colour, text) => styleText(colour, text, { stream: process.stderr }),
    });
    break;
  }
  case 'export': {
    const { runExport } = await import('./export.ts');
    process.exitCode = await runExport(rest, process.env, { out: process.stdout, err: streams.err });
    break;
  }
  default:
    await import('./slipway.ts');
}
