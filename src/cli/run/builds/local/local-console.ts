// The console of a job that is run here: the output that agents would send to the server goes to the terminal.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobConsole } from '../../../../agent/console/job-console.ts';
import { secretsOf } from '../../../../agent/console/secrets.ts';
import { TAGS } from '../../../../agent/console/tags.ts';
import type { WorkVariable } from '../../../../contracts/agent-protocol/work.ts';
import type { Context } from '../../../terminal/context.ts';

/** Tag and time of a line. */
const PREFIX = /^(..)\|\d\d:\d\d:\d\d\.\d{3} /;

/** Secrets are masked, as on agents. */
export async function withLocalConsole<T>(
  context: Context,
  environment: readonly WorkVariable[],
  work: (console: JobConsole) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-run-local-'));
  const printer = new LinePrinter(context);
  const console = new JobConsole({
    spoolFile: join(folder, 'console.log'),
    secrets: secretsOf({ environment, materials: [], tasks: [], artifacts: [] }),
    deliver: async (offset, bytes) => {
      printer.print(bytes);
      return { kind: 'sent', length: offset + bytes.length };
    },
    onRefused: () => {},
    onBroken: (failure) => {
      context.err.write(`${failure.message}\n`);
    },
  });
  try {
    const result = await work(console);
    await console.delivered();
    return result;
  } finally {
    console.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class LinePrinter {
  readonly #context: Context;
  #begun: Buffer = Buffer.alloc(0);

  constructor(context: Context) {
    this.#context = context;
  }

  print(bytes: Buffer): void {
    const all = Buffer.concat([this.#begun, bytes]);
    const end = all.lastIndexOf('\n') + 1;
    this.#begun = all.subarray(end);
    for (const line of all.toString('utf8', 0, end).split('\n').slice(0, -1)) this.#printLine(line);
  }

  #printLine(line: string): void {
    const [prefix = '', tag] = PREFIX.exec(line) ?? [];
    const { out, err } = this.#context;
    (tag === TAGS.error ? err : out).write(`${line.slice(prefix.length)}\n`);
  }
}
