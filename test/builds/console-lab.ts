// A place for consoles of tests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobIdentifier } from '../../src/artifacts/stage-run.ts';
import { Consoles, type ConsolesParts } from '../../src/builds/console/consoles.ts';
import { linesIn } from '../../src/builds/console/lines.ts';

export const JOB: JobIdentifier = { pipeline: 'up42', pipelineCounter: 7, stage: 'build', stageCounter: 1, job: 'compile' };

export class ConsoleLab {
  readonly root = mkdtempSync(join(tmpdir(), 'slipway-console-'));
  readonly failures: object[] = [];
  readonly #consoles: Consoles[] = [];

  /** Opens the consoles as a server that starts on these files would. */
  open(more: Partial<ConsolesParts> = {}): Consoles {
    const log = { error: (facts: object) => this.failures.push(facts) };
    const consoles = new Consoles({ root: () => this.root, log, ...more });
    this.#consoles.push(consoles);
    return consoles;
  }

  async close(): Promise<void> {
    for (const consoles of this.#consoles) await consoles.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  folder({ pipeline, pipelineCounter, stage, stageCounter, job }: JobIdentifier = JOB): string {
    return join(this.root, 'pipelines', pipeline, String(pipelineCounter), stage, String(stageCounter), job, 'cruise-output');
  }

  /** The file as it is. */
  text(job: JobIdentifier = JOB): string {
    return readFileSync(join(this.folder(job), 'console.log'), 'utf8');
  }
}

export async function textFrom(consoles: Consoles, from: number, { isActive = false, job = JOB } = {}): Promise<string | undefined> {
  const found = await consoles.read(job, from, isActive);
  if (!found) return undefined;
  let text = '';
  for await (const chunk of found.stream) text += chunk;
  return text;
}

/** The texts of lines, with their numbers. */
export async function taken(blocks: ReturnType<Consoles['lines']>): Promise<string[]> {
  const lines: string[] = [];
  for await (const block of blocks) lines.push(...linesIn(block).map(({ line, text }) => `${line} ${text}`));
  return lines;
}
