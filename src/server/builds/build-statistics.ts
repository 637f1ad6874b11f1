// Counts waiting and running jobs, and agents by state, from memory.
import type { BuildStatistics } from '../../api/endpoints/metrics/build-metrics.ts';
import { RUNTIME_STATES, runtimeState } from '../../builds/agents/runtime-state.ts';
import { AGENT_CONFIG_STATES } from '../../contracts/agent-protocol/messages.ts';
import type { OpenBuilds } from './open.ts';

/** Undefined where another server runs builds. */
export function buildStatistics({ engine, registry, sessions, agentJobs }: OpenBuilds): BuildStatistics | undefined {
  if (!engine.isStarted || !registry.isStarted) return undefined;
  const { active } = engine.state;
  const now = engine.state.now();
  const states = registry.all().map(({ uuid, configState }) => {
    const contact = {
      lastContactAt: sessions.lastContactAt(uuid),
      now,
      current: agentJobs.currentOf(uuid),
      claimsWork: sessions.claimsWork(uuid),
    };
    return `${configState} ${runtimeState(contact)}`;
  });
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return {
    waiting: active.waitingCount,
    running: active.assignedCount,
    waits: engine.queue.waits.snapshot(),
    // States without agents, too, so that an alerting rule about them finds a value.
    agents: AGENT_CONFIG_STATES.flatMap((configState) =>
      RUNTIME_STATES.map((state) => ({ configState, state, count: counts.get(`${configState} ${state}`) ?? 0 })),
    ),
  };
}
