// PUT of an environment that really changes, beside node:http with one durable SQLite commit for each request.
import { createEnvironments, environmentName, putEnvironment } from '../support/datasets/environments.ts';
import type { Lab } from '../support/lab.ts';
import { CONNECTIONS, loadWith } from '../support/load.ts';
import type { Measurement } from '../support/measurement.ts';
import type { Outcome } from '../support/outcome.ts';
import type { Program } from '../support/process.ts';
import { record } from '../support/recording.ts';
import { compareRates, longWarmUp, type Side } from '../support/side-by-side.ts';

const GOAL = 0.6;
const FEW_CONNECTIONS = 8;

export const putDurable: Measurement = {
  name: 'put-durable',
  what: 'PUT one environment, durable',
  beside: 'bare node:http + one durable node:sqlite commit',
  goal: `≥ ${GOAL.toFixed(2)}`,
  run: (lab) => measure(lab, CONNECTIONS),
};

export const putDurableBusyDisk: Measurement = {
  name: 'put-durable-busy-disk',
  what: `the same on ${FEW_CONNECTIONS} connections while another process keeps the disk busy`,
  beside: 'bare node:http + one durable node:sqlite commit',
  goal: `≥ ${GOAL.toFixed(2)}`,
  run: async (lab) => {
    const noise = await lab.startDiskNoise();
    const outcome = await measure(lab, FEW_CONNECTIONS);
    await noise.stop();
    return outcome;
  },
};

async function measure(lab: Lab, connections: number): Promise<Outcome> {
  const server = await lab.startServer(lab.newPath());
  const bearer = await lab.newBearer(server.url);
  await createEnvironments(server.url, connections, bearer);
  const recording = await record(server.url, putEnvironment(environmentName(0), 1, bearer), 200);
  const bare = await lab.startBareServer(recording, { durable: true });
  const sides = [server, bare].map((program) => writing(program, bearer, connections));
  const outcome = await compareRates(sides[0]!, sides[1]!, longWarmUp(lab.scale.pace), { goal: GOAL, isProcessorBound: false });
  await Promise.all([server.stop(), bare.stop()]);
  return outcome;
}

/** Each connection writes an environment of its own, so that none waits for the answer to another's change. */
function writing({ url, pid }: Program, authorization: string, connections: number): Side {
  let turn = 1;
  const requestsOf: Parameters<typeof loadWith>[3] = (connection, index) => {
    const name = environmentName(index);
    return () => connection.compose(putEnvironment(name, ++turn, authorization));
  };
  return { pid, load: (seconds) => loadWith(url, 200, seconds, requestsOf, connections) };
}
