// A server with agents: the real routes, registry and sessions; the test plays the engine.
import { randomUUID } from 'node:crypto';
import { agentRoutes } from '../../src/api/endpoints/agents/all.ts';
import { autoRegisterKeyIn } from '../../src/api/endpoints/agents/registration-key.ts';
import type { ResourceParts } from '../../src/api/engine/resource-parts.ts';
import type { AgentFacts } from '../../src/builds/agents/agent.ts';
import type { AgentJobs } from '../../src/builds/agents/agent-jobs.ts';
import { AgentRegistry } from '../../src/builds/agents/registry.ts';
import { AgentSessions } from '../../src/builds/agents/sessions.ts';
import type { Order, Poll } from '../../src/contracts/agent-protocol/messages.ts';
import { type Clock, SYSTEM_CLOCK } from '../../src/kit/concurrency/clock.ts';
import { type Reply, TestServer } from '../support/server/server.ts';

export const REGISTRATION = '/agent/v1/registration';
export const POLL = '/agent/v1/poll';

/** The jobs of agents where nothing is built. */
export const NO_AGENT_JOBS: AgentJobs = {
  currentOf: () => undefined,
  history: async () => ({ total: 0, jobs: [] }),
  kill: () => 'not cancelling',
};

export class AgentLab {
  server!: TestServer;
  registry!: AgentRegistry;
  sessions!: AgentSessions;
  parts!: ResourceParts;
  jobs: AgentJobs = NO_AGENT_JOBS;
  nextOrder: (agent: AgentFacts, poll: Poll) => Promise<Order | undefined> = async () => undefined;
  readonly restarted: string[] = [];
  readonly lost: string[] = [];
  readonly failures: unknown[] = [];

  static async start(clock: Clock = SYSTEM_CLOCK): Promise<AgentLab> {
    const lab = new AgentLab();
    lab.server = await TestServer.start(
      {},
      {
        routes: ({ database, configuration, resourceParts }, stopping) => {
          const { config, eventLog } = configuration;
          lab.parts = resourceParts;
          lab.registry = new AgentRegistry({
            database,
            write: eventLog.write,
            config,
            clock,
            autoRegisterKey: () => autoRegisterKeyIn(resourceParts),
          });
          lab.sessions = new AgentSessions({
            registry: lab.registry,
            clock,
            nextOrder: (agent, poll) => lab.nextOrder(agent, poll),
            onRestart: (uuid) => lab.restarted.push(uuid),
            onLost: (uuid) => lab.lost.push(uuid),
            onFailure: (failure) => lab.failures.push(failure),
          });
          const jobs: AgentJobs = {
            currentOf: (uuid) => lab.jobs.currentOf(uuid),
            history: (uuid, query) => lab.jobs.history(uuid, query),
            kill: (uuid) => lab.jobs.kill(uuid),
          };
          return agentRoutes({ ...resourceParts, registry: lab.registry, sessions: lab.sessions, jobs, stopping, clock });
        },
      },
    );
    await lab.begin();
    return lab;
  }

  async begin(): Promise<void> {
    await this.registry.start();
    this.sessions.start();
  }

  async end(): Promise<void> {
    this.sessions.stop();
    await this.registry.stop();
  }

  /** The server, too, and all it keeps. */
  async stop(): Promise<void> {
    await this.end();
    await this.server.stop();
  }

  async restart(): Promise<void> {
    await this.end();
    await this.server.restart();
    await this.begin();
  }

  async key(): Promise<string> {
    return (await this.server.get('/api/admin/agent_registration')).json.auto_register_key;
  }

  register(body: object, token?: string): Promise<Reply> {
    return this.server.post(REGISTRATION, body, { as: token === undefined ? '' : `Bearer ${token}` });
  }

  poll(token: string, body: object = {}): Promise<Reply> {
    const poll = { instance: INSTANCE, jobs: [], free_space: null, state: 'Enabled', ...body };
    return this.server.post(POLL, poll, { as: `Bearer ${token}` });
  }

  /** An agent that may work. */
  async enabled(more: object = {}): Promise<{ uuid: string; token: string }> {
    const body = registrationBody({ key: await this.key(), ...more });
    const reply = await this.register(body);
    if (reply.status !== 201) throw new Error(reply.text);
    return { uuid: body.uuid, token: reply.json.token };
  }
}

export const INSTANCE = '5e0c8d3f-24c1-4a6b-8f5d-9b1e7a2c4d60';

export function registrationBody(more: object = {}) {
  return {
    protocol: 1,
    uuid: randomUUID() as string,
    instance: INSTANCE,
    hostname: 'builder',
    sandbox: '/work',
    operating_system: 'Linux',
    version: '1.0.0',
    free_space: 1000,
    ...more,
  };
}
