// Puts a program of our own on the PATH in the place of one that cannot be installed here.
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface StandIn {
  /** The folder of the program, which finds its state.json there and writes its calls into calls.jsonl. */
  readonly folder: string;
  setState(state: object): void;
  restore(): void;
}

/** `source` is a script that this Node runs. */
export function installStandIn(name: string, source: string, folder: string): StandIn {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.mjs`), source);
  writeFileSync(join(folder, name), `#!/bin/sh\nexec "${process.execPath}" "${join(folder, `${name}.mjs`)}" "$@"\n`, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = [folder, PATH].join(delimiter);
  return {
    folder,
    setState: (state) => writeFileSync(join(folder, 'state.json'), JSON.stringify(state)),
    restore: () => {
      process.env.PATH = PATH;
    },
  };
}
