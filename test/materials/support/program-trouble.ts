// The behaviour of every client whose program never answers, or is not there.
import assert from 'node:assert/strict';
import { ProgramMissing } from '../../../src/kit/process/command.ts';
import type { MaterialClient, PolledMaterial } from '../../../src/materials/clients/client.ts';
import { type Lab, pollAll } from './polling.ts';
import { installStandIn } from './stand-in.ts';

const LIMITS = { timeoutMs: 60_000, responseTimeoutMs: 1_500, maxBytes: 1_000_000 };
const FOR_EVER = 'setInterval(() => {}, 1000);';

/** `when` says which calls are never answered; others end at once. */
export async function assertGivenUp<M extends PolledMaterial>(
  program: string,
  client: MaterialClient<M>,
  material: M,
  lab: Lab,
  when = 'true',
): Promise<void> {
  const silent = installStandIn(program, `if (${when}) ${FOR_EVER}`, lab.newPath('silent'));
  try {
    const polling = pollAll(client, material, undefined, { ...lab.context(), limits: LIMITS });
    await assert.rejects(polling, { message: `${program} was stopped: it printed nothing for 1.5 seconds.` });
  } finally {
    silent.restore();
  }
}

export async function assertMissed<M extends PolledMaterial>(
  program: string,
  client: MaterialClient<M>,
  material: M,
  lab: Lab,
): Promise<void> {
  const { PATH } = process.env;
  process.env.PATH = lab.newPath('nothing');
  try {
    await assert.rejects(pollAll(client, material, undefined, lab.context()), (failure: ProgramMissing) => {
      assert.ok(failure instanceof ProgramMissing);
      const message = `The program ${program} cannot be found on this server. Install it and see that it is on the PATH of the server.`;
      assert.equal(failure.message, message);
      return true;
    });
  } finally {
    process.env.PATH = PATH;
  }
}
