// PUT of an environment that really changes, beside node:http with one durable SQLite commit for each request.
import { createEnvironments, environmentName, putEnvironment } from './support/environments.ts';
import { CONNECTIONS, loadWith } from './support/load.ts';
import type { Measurement } from './support/measurement.ts';
import type { Program } from './support/process.ts';
import { record } from './support/recording.ts';
import { compareRates, type Side } from './support/side-by-side.ts';

export const putDurable: Measurement = {
  name: 'put-durable',
  what: 'PUT one environment, durable',
  beside: 'bare node:http + one durable node:sqlite commit',
  goal: '≥ 0.40',
  run: async (lab) => {
    const server = await lab.startServer(lab.newPath());
    const bearer = await lab.newBearer(server.url);
    await createEnvironments(server.url, CONNECTIONS, bearer);
    const recording = await record(server.url, putEnvironment(environmentName(0), 1, bearer), 200);
    const bare = await lab.startBareServer(recording, { durable: true });
    const outcome = await compareRates(writing(server, bearer), writing(bare, bearer), lab.scale.pace, {
      goal: 0.4,
      isProcessorBound: false,
    });
    await Promise.all([server.stop(), bare.stop()]);
    return outcome;
  },
};

/** Each connection writes an environment of its own, so that none waits for the answer to another's change. */
function writing({ url, pid }: Program, authorization: string): Side {
  let turn = 1;
  return {
    pid,
    load: (seconds) =>
      loadWith(url, 200, seconds, (connection, index) => {
        const name = environmentName(index);
        return () => connection.compose(putEnvironment(name, ++turn, authorization));
      }),
  };
}
