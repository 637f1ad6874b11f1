// Where the command line begins: each command loads only what it needs.
if (process.argv[2] === 'restore') {
  const { runRestore } = await import('./restore.ts');
  process.exitCode = await runRestore(process.argv.slice(3), process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
} else if (process.argv[2] === 'audit') {
  const { runAudit } = await import('./audit.ts');
  process.exitCode = await runAudit(process.argv.slice(3), process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
} else if (process.argv[2] === 'plan' || process.argv[2] === 'apply') {
  const [{ runPlan }, { styleText }] = await Promise.all([import('./plan.ts'), import('node:util')]);
  process.exitCode = await runPlan(process.argv[2], process.argv.slice(3), process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    paint: (colour, text) => styleText(colour, text, { stream: process.stdout }),
    paintError: (colour, text) => styleText(colour, text, { stream: process.stderr }),
  });
} else {
  await import('./slipway.ts');
}

export {};
