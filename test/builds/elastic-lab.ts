// A server whose jobs get agents on demand, from a stand-in of a cluster that the test has.
import { accepted } from '../support/requests/callers.ts';
import { healthOf } from '../support/server/health.ts';
import { until } from '../support/until.ts';
import { BuildLab, git, job, stage } from './engine/lab.ts';

type Values = Readonly<Record<string, string>>;

const CLUSTERS = '/api/admin/elastic/cluster_profiles';
const PROFILES = '/api/elastic/profiles';

/** The job of the pipeline with this name. */
export const locator = (name: string) => `${name}/1/build/1/compile`;

export class ElasticLab {
  readonly builds: BuildLab;

  private constructor(builds: BuildLab) {
    this.builds = builds;
  }

  static async start(): Promise<ElasticLab> {
    return new ElasticLab(await BuildLab.start());
  }

  stop(): Promise<void> {
    return this.builds.stop();
  }

  get url(): string {
    return this.builds.server.url;
  }

  setCluster(plugin_id: string, settings: Values): Promise<void> {
    return this.#set(CLUSTERS, 'farm', { plugin_id, properties: propertiesOf(settings) });
  }

  setProfile(id: string, settings: Values): Promise<void> {
    return this.#set(PROFILES, id, { cluster_profile_id: 'farm', properties: propertiesOf(settings) });
  }

  /** A pipeline of its own, whose job waits for an agent of a profile with these settings. */
  async scheduled(name: string, settings: Values, script = 'echo "in $REGION $TIER"; env'): Promise<void> {
    await this.setProfile(name, settings);
    const tasks = [{ type: 'exec', attributes: { command: 'sh', arguments: ['-c', script], run_if: [] } }];
    await this.builds.pipeline(name, {
      materials: [git(await this.builds.origin(name))],
      stages: [stage('build', { jobs: [job('compile', { elastic_profile_id: name, tasks })] })],
    });
    await this.builds.poll(name);
    await this.builds.run(name, 1);
  }

  async agents(): Promise<readonly { readonly elastic_agent_id: string }[]> {
    return accepted(await this.builds.server.get('/api/agents')).json._embedded.agents;
  }

  /** Waits until the server gives this reason why the job waits. */
  waitReason(name: string, pattern: RegExp): Promise<string> {
    return until(`${name}: ${pattern}`, async () => {
      const { reasons } = accepted(await this.builds.server.get(`/api/jobs/${locator(name)}/why`)).json;
      const all = reasons as readonly { readonly rule: string; readonly message: string }[];
      return all.find(({ rule, message }) => rule === 'elastic' && pattern.test(message))?.message;
    });
  }

  /** The health message for administrators. */
  async healthMessage(name: string) {
    return (await healthOf(this.builds.server)).find(({ message }) => message === `Unable to find agent for ${name}/build/compile`);
  }

  async cancel(name: string): Promise<void> {
    accepted(await this.builds.server.ask('POST', `/api/stages/${name}/1/build/1/cancel`, { headers: { 'X-Svc-Confirm': 'true' } }));
  }

  async #set(path: string, id: string, body: object): Promise<void> {
    const { status, etag } = await this.builds.server.get(`${path}/${id}`);
    if (status === 200) accepted(await this.builds.server.put(`${path}/${id}`, body, etag));
    else accepted(await this.builds.server.post(path, { id, ...body }));
  }
}

function propertiesOf(settings: Values) {
  return Object.entries(settings).map(([key, value]) => ({ key, value }));
}
