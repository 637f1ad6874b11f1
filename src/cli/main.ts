// Where the command line begins: each command loads only what it needs.
if (process.argv[2] === 'restore') {
  const { runRestore } = await import('./restore.ts');
  process.exitCode = await runRestore(process.argv.slice(3), process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
} else {
  await import('./slipway.ts');
}

export {};
