// Pipelines to measure with: four stages of three jobs, two materials, in groups, each depending on one before it.
import { openConnections, type RequestLine } from '../connection.ts';

const STAGES = 4;
const JOBS = 3;
const PER_GROUP = 50;
const SEEDING_CONNECTIONS = 16;
/** Chains of pipelines, each depending on the one before it. */
const CHAIN = 10;
export const PIPELINES_PATH = '/api/admin/pipelines';

export function pipelineName(index: number): string {
  return `pipeline-${String(index).padStart(5, '0')}`;
}

/** `turn` makes each version differ from the one before: a PUT that changes nothing is not written. */
function pipelineOf(index: number, turn: number): object {
  const name = pipelineName(index);
  const upstream =
    index % CHAIN === 0
      ? { type: 'git', attributes: { url: `https://scm.example.org/libs/${name}.git`, destination: 'libs' } }
      : { type: 'dependency', attributes: { pipeline: pipelineName(index - 1), stage: 'stage-3' } };
  const job = (stage: number, number: number) => ({
    name: `job-${number}`,
    resources: ['linux'],
    tasks: [{ type: 'exec', attributes: { command: 'make', arguments: ['-C', name, `target-${stage}-${number}`, `TURN=${turn}`] } }],
    artifacts: [{ type: 'build', source: `out/${stage}/${number}`, destination: 'out' }],
  });
  return {
    name,
    environment_variables: [{ name: 'REGION', value: 'north' }],
    materials: [{ type: 'git', attributes: { url: `https://scm.example.org/${name}.git`, branch: 'main', destination: 'code' } }, upstream],
    stages: Array.from({ length: STAGES }, (_, stage) => ({
      name: `stage-${stage}`,
      jobs: Array.from({ length: JOBS }, (_, number) => job(stage, number)),
    })),
  };
}

function groupOf(index: number): string {
  return `group-${Math.floor(index / PER_GROUP)}`;
}

export function putPipeline(index: number, turn: number, authorization: string): RequestLine {
  return {
    method: 'PUT',
    path: `${PIPELINES_PATH}/${pipelineName(index)}`,
    headers: { Accept: 'application/vnd.svc.v11+json', Authorization: authorization, 'If-Match': '*' },
    body: JSON.stringify({ ...pipelineOf(index, turn), group: groupOf(index) }),
  };
}

export function getPipeline(index: number, authorization: string): RequestLine {
  const headers = { Accept: 'application/vnd.svc.v11+json', Authorization: authorization };
  return { method: 'GET', path: `${PIPELINES_PATH}/${pipelineName(index)}`, headers };
}

/** Chain by chain, so that each finds the one it depends on. */
export async function createPipelines(url: string, count: number, authorization: string, from = 0): Promise<void> {
  const connections = await openConnections(url, Math.min(SEEDING_CONNECTIONS, Math.ceil((count - from) / CHAIN)));
  const headers = { Accept: 'application/vnd.svc.v11+json', Authorization: authorization };
  let nextChain = from / CHAIN;
  const work = async (connection: (typeof connections)[number]) => {
    for (let first = CHAIN * nextChain++; first < count; first = CHAIN * nextChain++) {
      for (let index = first; index < Math.min(first + CHAIN, count); index++) {
        const body = JSON.stringify({ group: groupOf(index), pipeline: pipelineOf(index, 0) });
        const status = await connection.send(connection.compose({ method: 'POST', path: PIPELINES_PATH, headers, body }));
        if (status !== 200) throw new Error(`A pipeline could not be created: status ${status}.`);
      }
    }
  };
  await Promise.all(connections.map(work));
  for (const connection of connections) connection.close();
}
