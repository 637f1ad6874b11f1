// Agents: all users see them, administrators decide what they may do.

import type { Identity } from '../../../access/identity.ts';
import { type Access, SCOPE_RESOURCES } from '../../../access/may.ts';
import { ALL } from '../../../access/scopes/scope.ts';
import type { Agent } from '../../../builds/agents/agent.ts';
import type { AgentJobs, CurrentJob } from '../../../builds/agents/agent-jobs.ts';
import { type BulkPatch, hasChange, patchAgent, patchInBulk } from '../../../builds/agents/change-agents.ts';
import type { AgentRegistry } from '../../../builds/agents/registry.ts';
import { runtimeState } from '../../../builds/agents/runtime-state.ts';
import type { AgentSessions } from '../../../builds/agents/sessions.ts';
import type { Config } from '../../../config/current.ts';
import { type Clock, SYSTEM_CLOCK } from '../../../kit/concurrency/clock.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { annotate } from '../../../shape/problems/problem.ts';
import { type RecordChange, withRecordPlan } from '../../engine/record-plan.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { mustBeInScope } from '../../engine/route-scope.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { etagOfText } from '../../http/headers/etags.ts';
import { bulkPatchIn, historyQueryIn, patchIn, uuidsIn } from './bodies.ts';
import * as messages from './docs.ts';
import { agentData, agentJson, agentListJson, historyJson, AGENTS_PATH as PATH, type ShownAgent } from './json.ts';

export interface AgentRouteParts {
  readonly registry: AgentRegistry;
  readonly sessions: AgentSessions;
  readonly jobs: AgentJobs;
  readonly access: Access;
  readonly config: Config;
  readonly clock?: Clock;
}

export function agentApiRoutes({ registry, sessions, jobs, access, config, clock = SYSTEM_CLOCK }: AgentRouteParts): Route[] {
  const { DESCRIPTIONS } = messages;
  return [
    route('GET', PATH, 'user', DESCRIPTIONS.list, ({ identity, base }) => {
      const agents = registry
        .all()
        .toSorted(byHostname)
        .map((agent) => shown(agent, identity));
      return tagged(agents, (list) => agentListJson(list, base), base);
    }),
    route('GET', `${PATH}/:uuid`, 'user', DESCRIPTIONS.show, (request) => show(find(request), request)),
    route('PATCH', `${PATH}/:uuid`, 'admin', DESCRIPTIONS.change, async (request) => {
      const patch = patchIn(request.body);
      const { identity, isDryRun } = request;
      const [changed] = await registry.change(() => [patched(request, patch)], identity.loginName, { dryRun: isDryRun });
      return withRecordPlan(show(changed, request), request, () => [planned(changed.uuid, changed, request)]);
    }),
    route('PATCH', PATH, 'admin', DESCRIPTIONS.changeAll, async (request) => {
      const uuids = uuidsIn(request.body);
      const patch = bulkPatchIn(request.body);
      const { identity, isDryRun } = request;
      const changed = await registry.change(() => patchedInBulk(uuids, patch), identity.loginName, { dryRun: isDryRun });
      const answer = jsonAnswer({ message: messages.updated(uuids) });
      return withRecordPlan(answer, request, () => changed.map((agent) => planned(agent.uuid, agent, request)));
    }),
    route('DELETE', `${PATH}/:uuid`, 'admin', DESCRIPTIONS.remove, async (request) => {
      const { identity, isDryRun } = request;
      const decide = () => {
        const agent = find(request);
        checkIfMatchEtag(request, etagOf(agent, request));
        return removable([agent]);
      };
      return deletion(await registry.remove(decide, identity.loginName, { dryRun: isDryRun }), request);
    }),
    route('DELETE', PATH, 'admin', DESCRIPTIONS.removeAll, async (request) => {
      const uuids = uuidsIn(request.body);
      const { identity, isDryRun } = request;
      return deletion(await registry.remove(() => removable(named(uuids)), identity.loginName, { dryRun: isDryRun }), request);
    }),
    {
      ...route('POST', `${PATH}/:uuid/kill_running_tasks`, 'admin', DESCRIPTIONS.kill, (request) => {
        const { uuid } = find(request);
        const isKilled = request.isDryRun ? jobs.currentOf(uuid)?.isCancelling === true : jobs.kill(uuid) === 'accepted';
        if (!isKilled) throw new Refusal('conflict', messages.NOT_CANCELLING);
        if (!request.isDryRun) sessions.wake(uuid);
        return jsonAnswer({ message: messages.KILLED }, { status: 202 });
      }),
      // A job that does not end would hold up the maintenance.
      worksInMaintenance: true,
    },
    {
      ...route('GET', `${PATH}/:uuid/job_run_history`, 'admin', DESCRIPTIONS.history, async (request) => {
        // Jobs of all pipelines, with their names.
        mustBeInScope(access, request.identity, { resource: SCOPE_RESOURCES.pipeline, action: 'view', name: ALL });
        const { uuid } = find(request);
        const query = historyQueryIn(request.query);
        return jsonAnswer(historyJson(uuid, await jobs.history(uuid, query), query, request.base));
      }),
      version: 1,
    },
  ];

  function find({ params }: ApiRequest): Agent {
    const uuid = params.uuid ?? '';
    const agent = registry.find(uuid);
    if (!agent) throw new Refusal('notFound', messages.unknownAgent(uuid));
    return agent;
  }

  function shown(agent: Agent, identity: Identity): ShownAgent {
    const { uuid } = agent;
    const current = jobs.currentOf(uuid);
    const contact = { lastContactAt: sessions.lastContactAt(uuid), now: clock.now(), current, claimsWork: sessions.claimsWork(uuid) };
    return {
      agent,
      environments: registry.environments.of(agent),
      state: runtimeState(contact),
      freeSpace: registry.freeSpace.of(uuid),
      current: current && mayView(identity, current) ? current : undefined,
    };
  }

  function mayView(identity: Identity, { pipeline }: CurrentJob): boolean {
    const group = config.of('pipelines').find(pipeline)?.value.group;
    return group === undefined ? access.isAdmin(identity) : access.mayView(identity, { group, pipeline });
  }

  function show(agent: Agent, { identity, base }: ApiRequest): Answer {
    return tagged([shown(agent, identity)], ([one]) => agentJson(one!, base), base);
  }

  function deletion(gone: readonly Agent[], request: ApiRequest): Answer {
    const answer = jsonAnswer({ message: messages.deleted(gone.length) });
    return withRecordPlan(answer, request, () => gone.map(({ uuid }) => planned(uuid, undefined, request)));
  }

  /** `after`: absent when the agent is deleted. */
  function planned(uuid: string, after: Agent | undefined, { identity, base }: ApiRequest): RecordChange {
    const before = registry.find(uuid);
    const [was, becomes] = [before, after].map((agent) => agent && agentData(shown(agent, identity), base));
    return { resource: 'agents', title: 'Agent', id: uuid, ...(before && { label: before.hostname }), before: was, after: becomes };
  }

  function etagOf(agent: Agent, { identity, base }: ApiRequest): string {
    return tagOf([shown(agent, identity)], ([one]) => agentJson(one!, base), base);
  }

  // The functions below decide in the turn of a write, by agents as they are then.

  function patched(request: ApiRequest, patch: ReturnType<typeof patchIn>): Agent {
    const agent = find(request);
    checkIfMatchEtag(request, etagOf(agent, request));
    if (agent.configState === 'Pending' && !patch.configState) throw new Refusal('malformed', messages.pendingAgent(agent.uuid));
    const { agent: changed, problems } = patchAgent(agent, patch, registry.environments);
    if (problems.length === 0) return changed;
    const wanted = { ...shown(changed, request.identity), environments: environmentsWanted(changed) };
    const data = annotate(agentData(wanted, request.base), problems);
    throw new Refusal('invalid', messages.notUpdated(problems), { data });
  }

  /** Environments that do not exist are among them: the problems are about them. */
  function environmentsWanted(agent: Agent): ShownAgent['environments'] {
    return [...agent.ownEnvironments.map((name) => ({ name, origin: null })), ...registry.environments.remoteOf(agent)];
  }

  function patchedInBulk(uuids: readonly string[], patch: BulkPatch): Agent[] {
    const agents = named(uuids);
    const pending = agents.filter(({ configState }) => configState === 'Pending');
    if (pending.length > 0 && !patch.configState) throw new Refusal('malformed', messages.pendingAgents(pending));
    const elastic = agents.filter((agent) => agent.elastic);
    if (elastic.length > 0 && hasChange(patch.resources)) throw new Refusal('malformed', messages.elasticAgents(elastic));
    const all = agents.map((agent) => patchInBulk(agent, patch, registry.environments));
    const problems = all.flatMap((one) => one.problems);
    if (problems.length > 0) throw new Refusal('invalid', messages.notUpdated(problems));
    return all.map(({ agent }) => agent);
  }

  function removable(agents: readonly Agent[]): readonly Agent[] {
    const isFree = ({ uuid, configState }: Agent) => configState === 'Disabled' && jobs.currentOf(uuid) === undefined;
    if (agents.every(isFree)) return agents;
    throw new Refusal('invalid', agents.length === 1 ? messages.NOT_REMOVABLE : messages.NONE_REMOVABLE);
  }

  function named(uuids: readonly string[]): Agent[] {
    const unknown = uuids.filter((uuid) => !registry.find(uuid));
    if (unknown.length > 0) throw new Refusal('notFound', messages.unknownAgents(unknown));
    return uuids.flatMap((uuid) => registry.find(uuid) ?? []);
  }
}

type Write = (agents: readonly ShownAgent[]) => JsonOut;

function tagged(agents: readonly ShownAgent[], write: Write, base: string): Answer {
  return jsonAnswer(write(agents), { etag: tagOf(agents, write, base) });
}

/** Free space changes all the time, and alone it is no news. */
function tagOf(agents: readonly ShownAgent[], write: Write, base: string): string {
  return etagOfText(JSON.stringify(write(agents.map((agent) => ({ ...agent, freeSpace: null })))), base);
}

function byHostname(one: Agent, other: Agent): number {
  const [first, second] = [one.hostname.toLowerCase(), other.hostname.toLowerCase()];
  if (first !== second) return first < second ? -1 : 1;
  return one.uuid < other.uuid ? -1 : 1;
}

function route(
  method: Method,
  path: string,
  permission: Route['permission'],
  description: Omit<RouteDescription, 'chapter'>,
  handle: Route['handle'],
): Route {
  return { method, path, version: 7, permission, description: { chapter: 'agents', ...description }, handle };
}
