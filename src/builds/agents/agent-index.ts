// The agents in memory, by uuid and by token.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { Agent, ElasticIdentity } from './agent.ts';

const TOKEN = /^[0-9a-f]{64}$/;

export class AgentIndex {
  readonly #byUuid = new Map<string, Agent>();
  readonly #byTokenHash = new Map<string, Agent>();

  find(uuid: string): Agent | undefined {
    return this.#byUuid.get(uuid.toLowerCase());
  }

  /** Looking up a hash reveals nothing about tokens that are merely similar. */
  findByToken(token: string): Agent | undefined {
    return TOKEN.test(token) ? this.#byTokenHash.get(sha256(token)) : undefined;
  }

  findElastic({ agentId, pluginId }: ElasticIdentity): Agent | undefined {
    for (const agent of this.#byUuid.values()) {
      if (agent.elastic?.agentId === agentId && agent.elastic.pluginId === pluginId) return agent;
    }
    return undefined;
  }

  all(): IterableIterator<Agent> {
    return this.#byUuid.values();
  }

  get pending(): number {
    let count = 0;
    for (const { configState } of this.#byUuid.values()) if (configState === 'Pending') count++;
    return count;
  }

  put(agent: Agent): void {
    this.remove(agent.uuid);
    this.#byUuid.set(agent.uuid, agent);
    this.#byTokenHash.set(agent.tokenHash, agent);
  }

  remove(uuid: string): void {
    const agent = this.#byUuid.get(uuid);
    if (!agent) return;
    this.#byUuid.delete(uuid);
    this.#byTokenHash.delete(agent.tokenHash);
  }

  clear(): void {
    this.#byUuid.clear();
    this.#byTokenHash.clear();
  }
}
