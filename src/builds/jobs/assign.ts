// Which agent may take which job, and if not, by which rule.

export interface AssignableJob {
  /** Left out of a job that is only planned. */
  readonly id?: number;
  /** The environment that the pipeline is in; null: in none. */
  readonly environment: string | null;
  readonly resources: readonly string[];
  /** Only this agent may take it. */
  readonly pinnedTo: string | null;
  /** Its elastic profile, and the plugin of the cluster that profile belongs to, if there is one. */
  readonly elastic: { readonly profile: string; readonly plugin: string | null } | null;
}

export interface AssignableAgent {
  readonly uuid: string;
  readonly state: 'Pending' | 'Enabled' | 'Disabled';
  readonly environments: readonly string[];
  readonly resources: readonly string[];
  /** The plugin that started it; null: it is not elastic. */
  readonly elasticPlugin: string | null;
  /** The only job it takes: the server has made it for that one. */
  readonly createdForJob?: number | undefined;
}

export interface Mismatch {
  readonly rule: 'environment' | 'resources' | 'pinned' | 'elastic' | 'disabled';
  readonly message: string;
}

/** The queue gives an agent the oldest job that it may take. */
export function mayTake(job: AssignableJob, agent: AssignableAgent): true | Mismatch {
  return (
    notEnabled(agent) ??
    notPinned(job, agent) ??
    otherEnvironment(job, agent) ??
    notOfPlugin(job, agent) ??
    withoutResources(job, agent) ??
    true
  );
}

function notEnabled({ state }: AssignableAgent): Mismatch | undefined {
  if (state === 'Enabled') return undefined;
  return { rule: 'disabled', message: state === 'Pending' ? 'The agent waits to be enabled.' : 'The agent is disabled.' };
}

function notPinned({ pinnedTo }: AssignableJob, { uuid }: AssignableAgent): Mismatch | undefined {
  if (pinnedTo === null || pinnedTo === uuid) return undefined;
  return { rule: 'pinned', message: `The job is for the agent '${pinnedTo}' only.` };
}

/** null: the job is in no environment, and so must be the agent. */
export function isInEnvironment({ environments }: Pick<AssignableAgent, 'environments'>, environment: string | null): boolean {
  return environment === null ? environments.length === 0 : environments.map(lowerCase).includes(environment.toLowerCase());
}

function otherEnvironment({ environment }: AssignableJob, agent: AssignableAgent): Mismatch | undefined {
  if (isInEnvironment(agent, environment)) return undefined;
  const ofAgent = agent.environments.length === 0 ? 'none' : agent.environments.map((name) => `'${name}'`).join(', ');
  const ofJob = environment === null ? 'no environment' : `the environment '${environment}'`;
  return { rule: 'environment', message: `The pipeline is in ${ofJob}, the agent in ${ofAgent}.` };
}

function notOfPlugin({ id, elastic }: AssignableJob, { elasticPlugin, createdForJob }: AssignableAgent): Mismatch | undefined {
  const mismatch = (message: string): Mismatch => ({ rule: 'elastic', message });
  if (!elastic) return elasticPlugin === null ? undefined : mismatch('The agent is elastic, and the job has no elastic profile.');
  if (elasticPlugin === null) return mismatch(`The job needs an elastic agent of the profile '${elastic.profile}'.`);
  if (elastic.plugin === null) return mismatch(`The elastic profile '${elastic.profile}' belongs to no plugin.`);
  if (elastic.plugin === elasticPlugin)
    return createdForJob === undefined || createdForJob === id ? undefined : mismatch('The agent was made for another job.');
  return mismatch(`The job needs an elastic agent of the plugin '${elastic.plugin}', the agent is one of '${elasticPlugin}'.`);
}

/** Elastic agents have none: their profile describes them. */
function withoutResources(job: AssignableJob, agent: AssignableAgent): Mismatch | undefined {
  if (job.elastic) return undefined;
  const resources = new Set(agent.resources.map(lowerCase));
  const missing = job.resources.filter((resource) => !resources.has(resource.toLowerCase()));
  if (missing.length === 0) return undefined;
  return { rule: 'resources', message: `The agent does not have ${missing.map((name) => `'${name}'`).join(', ')}.` };
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}
