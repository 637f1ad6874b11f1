// The ids of agents that this server has made for a job. They say for which, so that an agent is bound to it from its registration on.

const AGENT_ID = /^slipway-[0-9a-f]{8}-job-(\d{1,15})-\d{1,9}$/;
const SHORT_SERVER_ID = 8;

/** An attempt always gives the same id, so that two servers that take over from each other cannot make two agents. */
export function elasticAgentIdFor(serverId: string, jobId: number, attempt: number): string {
  return `${startOf(serverId, jobId)}${attempt}`;
}

/** Whether it is an id that this server gives to agents for this job. */
export function isElasticAgentIdFor(agentId: string, serverId: string, jobId: number): boolean {
  return AGENT_ID.test(agentId) && agentId.startsWith(startOf(serverId, jobId));
}

/** Undefined: it is not an id that a server has made. */
export function jobOfElasticAgentId(agentId: string): number | undefined {
  const [, job] = AGENT_ID.exec(agentId) ?? [];
  return job === undefined ? undefined : Number(job);
}

function startOf(serverId: string, jobId: number): string {
  const server = serverId
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .slice(0, SHORT_SERVER_ID)
    .padEnd(SHORT_SERVER_ID, '0');
  return `slipway-${server}-job-${jobId}-`;
}
