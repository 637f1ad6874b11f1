// The environments of agents: those they were put into here, and those that config repos put them into.
import type { Config } from '../../config/current.ts';
import type { RemoteOrigin } from '../../shape/origin.ts';
import type { Agent, AgentFacts } from './agent.ts';

export interface AgentEnvironment {
  readonly name: string;
  /** Null: the agent was put into it here. */
  readonly origin: RemoteOrigin | null;
}

export class AgentEnvironments {
  readonly #config: Config;
  /** By uuid. */
  #remote: ReadonlyMap<string, readonly AgentEnvironment[]> = new Map();
  #facts = new WeakMap<Agent, AgentFacts>();
  #generation = -1;

  constructor(config: Config) {
    this.#config = config;
  }

  /** An environment as it is written; undefined: there is none. */
  named(name: string): string | undefined {
    return this.#config.of('environments').find(name)?.value.name;
  }

  of({ uuid, ownEnvironments }: Agent): AgentEnvironment[] {
    this.#refresh();
    const own = ownEnvironments.flatMap((name) => this.named(name) ?? []);
    const taken = new Set(own.map((name) => name.toLowerCase()));
    const others = (this.#remote.get(uuid) ?? []).filter(({ name }) => !taken.has(name.toLowerCase()));
    return [...own.map((name) => ({ name, origin: null })), ...others];
  }

  /** The environments that config repos put an agent into. */
  remoteOf({ uuid }: Pick<Agent, 'uuid'>): readonly AgentEnvironment[] {
    this.#refresh();
    return this.#remote.get(uuid) ?? [];
  }

  /** Asked at each poll, so it is made once until something changes. */
  factsOf(agent: Agent): AgentFacts {
    this.#refresh();
    const known = this.#facts.get(agent);
    if (known) return known;
    const { uuid, hostname, configState, resources, elastic, isLocal } = agent;
    const environments = this.of(agent).map(({ name }) => name);
    const facts = { uuid, hostname, configState, resources, elastic, isLocal, environments };
    this.#facts.set(agent, facts);
    return facts;
  }

  #refresh(): void {
    const parts = this.#config.of('environmentParts');
    const generation = parts.generation + this.#config.of('environments').generation;
    if (generation === this.#generation) return;
    const remote = new Map<string, AgentEnvironment[]>();
    for (const { value } of parts.all()) {
      for (const uuid of value.agents) {
        const key = uuid.toLowerCase();
        const name = this.named(value.environment) ?? value.environment;
        const known = remote.get(key) ?? [];
        if (!known.some((one) => one.name === name)) remote.set(key, [...known, { name, origin: value.origin }]);
      }
    }
    for (const list of remote.values()) list.sort((one, other) => (one.name < other.name ? -1 : 1));
    this.#remote = remote;
    this.#facts = new WeakMap();
    this.#generation = generation;
  }
}
