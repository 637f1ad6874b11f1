// A mode of the test server: every write is first sent as a dry run, which must give the same verdict and change nothing.
// TEST_DRY_RUN=first npm test -- test/api
import assert from 'node:assert/strict';
import { SerialQueue } from '../../../src/kit/concurrency/serial-queue.ts';
import type { Ask, Reply } from './exchange.ts';

export const isOn = process.env.TEST_DRY_RUN === 'first';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
type AskOnce = (method: string, path: string, ask: Ask) => Promise<Reply>;

/** One write at a time: another one between the two would be seen as a difference. */
export class DryRunFirst {
  readonly #ask: AskOnce;
  readonly #queue = new SerialQueue();

  constructor(ask: AskOnce) {
    this.#ask = ask;
  }

  ask(method: string, path: string, ask: Ask): Promise<Reply> {
    if (READS.has(method) || path.includes('dry_run')) return this.#ask(method, path, ask);
    return this.#queue.run(() => this.#twice(method, path, ask));
  }

  async #twice(method: string, path: string, ask: Ask): Promise<Reply> {
    const before = await this.#md5();
    const dry = await this.#ask(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, ask);
    assert.equal(await this.#md5(), before, `a dry run of ${method} ${path} changed the configuration`);
    const real = await this.#ask(method, path, ask);
    assert.equal(dry.status, real.status, `${method} ${path}: the dry run said ${dry.text}, then came ${real.text}`);
    return real;
  }

  async #md5(): Promise<string | null> {
    return (await this.#ask('GET', '/api/admin/config.xml', {})).headers.get('x-cruise-config-md5');
  }
}
