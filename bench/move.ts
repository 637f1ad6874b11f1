// Move of a large installation to PostgreSQL, with all its checks, by the command as an administrator runs it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startPostgres } from '../test/support/database/postgres.ts';
import { openConnections } from './support/connection.ts';
import { createEnvironments, environmentName, putEnvironment } from './support/datasets/environments.ts';
import type { Lab } from './support/lab.ts';
import type { Measurement } from './support/measurement.ts';

const GOAL_SECONDS = 60;
const REVISIONS_PER_PIPELINE = 10;
const WRITERS = 50;
const command = join(import.meta.dirname, '..', 'build', 'slipway.js');

export const moveLarge: Measurement = {
  name: 'move',
  what: 'move of 10,000 pipelines and 100,000 revisions to PostgreSQL',
  beside: 'nothing; every row and ETag is compared, every event verified',
  goal: `≤ ${GOAL_SECONDS} s`,
  isLong: true,
  run: async (lab) => {
    const dataDir = await lab.pipelinesDataDir();
    const revisions = lab.scale.pipelines * REVISIONS_PER_PIPELINE;
    await addRevisions(lab, dataDir, revisions);
    const postgres = await startPostgres({ fsync: true });
    try {
      const words = ['move', '--data-dir', dataDir, '--database-url', await postgres.createDatabase()];
      const began = performance.now();
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { encoding: 'utf8' });
      const seconds = (performance.now() - began) / 1000;
      if (status !== 0) throw new Error(stderr);
      return {
        figure: `${seconds.toFixed(1)} s`,
        isMet: seconds <= GOAL_SECONDS,
        numbers: { seconds, revisions },
        notes: [stdout.split('\n', 1)[0]!],
      };
    } finally {
      await postgres.stop();
    }
  },
};

/** Through the API, so that each has its event. */
async function addRevisions(lab: Lab, dataDir: string, count: number): Promise<void> {
  const server = await lab.startServer(dataDir);
  const bearer = await lab.newBearer(server.url);
  await createEnvironments(server.url, WRITERS, bearer);
  const connections = await openConnections(server.url, WRITERS);
  let turn = 0;
  await Promise.all(
    connections.map(async (connection, index) => {
      while (turn < count) {
        const status = await connection.send(connection.compose(putEnvironment(environmentName(index), ++turn, bearer)));
        if (status !== 200) throw new Error(`A change was answered with status ${status}.`);
      }
    }),
  );
  for (const connection of connections) connection.close();
  await server.stop();
}
