// Environments to measure with: ten variables each, two of them secure.
import { openConnections, type RequestLine } from '../connection.ts';

const VARIABLES = 10;
const SECURE_VARIABLES = 2;
const SEEDING_CONNECTIONS = 16;
export const ENVIRONMENTS_PATH = '/api/admin/environments';

export function environmentName(index: number): string {
  return `environment-${String(index).padStart(5, '0')}`;
}

/** `turn` makes each version differ from the one before: a PUT that changes nothing is not written. */
export function environmentBody(name: string, turn: number): string {
  const variables = Array.from({ length: VARIABLES }, (_, index) => ({
    secure: index < SECURE_VARIABLES,
    name: `VARIABLE_${index}`,
    value: index === VARIABLES - 1 ? `turn ${turn}` : `value ${index} of ${name}`,
  }));
  return JSON.stringify({ name, pipelines: [], environment_variables: variables });
}

export function getEnvironment(name: string, authorization: string): RequestLine {
  const headers = { Accept: 'application/vnd.svc.v3+json', Authorization: authorization };
  return { method: 'GET', path: `${ENVIRONMENTS_PATH}/${name}`, headers };
}

export function putEnvironment(name: string, turn: number, authorization: string): RequestLine {
  return {
    method: 'PUT',
    path: `${ENVIRONMENTS_PATH}/${name}`,
    headers: { Accept: 'application/vnd.svc.v3+json', Authorization: authorization, 'If-Match': '*' },
    body: environmentBody(name, turn),
  };
}

export async function createEnvironments(url: string, count: number, authorization: string): Promise<void> {
  const connections = await openConnections(url, Math.min(SEEDING_CONNECTIONS, count));
  const headers = { Accept: 'application/vnd.svc.v3+json', Authorization: authorization };
  let next = 0;
  const work = async (connection: (typeof connections)[number]) => {
    while (next < count) {
      const body = environmentBody(environmentName(next++), 0);
      const status = await connection.send(connection.compose({ method: 'POST', path: ENVIRONMENTS_PATH, headers, body }));
      if (status !== 200) throw new Error(`An environment could not be created: status ${status}.`);
    }
  };
  await Promise.all(connections.map(work));
  for (const connection of connections) connection.close();
}
