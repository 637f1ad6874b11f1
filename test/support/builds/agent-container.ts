// A container in the stand-ins of clusters: an agent of this repository, in a process of its own, with the environment it was given.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LINE } from '../server/programs.ts';

export class AgentContainer {
  readonly ended: Promise<number>;
  readonly #child;
  #output = '';

  constructor(folder: string, environment: Readonly<Record<string, string | undefined>>) {
    mkdirSync(folder, { recursive: true });
    const { PATH, TEST_BUILD, NODE_COMPILE_CACHE } = process.env;
    const env = {
      PATH,
      HOME: folder,
      ...(TEST_BUILD && { TEST_BUILD }),
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...environment,
    };
    this.#child = spawn(process.execPath, [COMMAND_LINE, 'agent', '--work-dir', join(folder, 'work')], { env, cwd: folder });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.ended = once(this.#child, 'close').then(([code]) => (typeof code === 'number' ? code : 137));
  }

  get output(): string {
    return this.#output;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
