// How administrators change agents: plain data in, the agents as they are then out, or problems.
import type { Problem } from '../../shape/problems/problem.ts';
import type { Agent } from './agent.ts';
import { distinctNames, MAX_NAMES, NO_RESOURCES, resourceProblem, textProblem, without } from './agent-rules.ts';
import { unknownEnvironment } from './decide-registration.ts';

export interface AgentPatch {
  readonly hostname?: string;
  readonly resources?: readonly string[];
  readonly environments?: readonly string[];
  readonly configState?: 'Enabled' | 'Disabled';
}

export interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface BulkPatch {
  readonly resources: ListChange;
  readonly environments: ListChange;
  readonly configState?: 'Enabled' | 'Disabled';
}

export interface EnvironmentsView {
  /** The name of an environment as it is written; undefined: there is none. */
  named(name: string): string | undefined;
  /** The environments that config repos put the agent into. */
  remoteOf(agent: Agent): readonly { readonly name: string }[];
}

export interface PatchedAgent {
  readonly agent: Agent;
  readonly problems: readonly Problem[];
}

export function patchAgent(agent: Agent, patch: AgentPatch, environmentsView: EnvironmentsView): PatchedAgent {
  const { hostname = agent.hostname, resources, environments, configState = agent.configState } = patch;
  const wanted = resources && distinctNames(resources);
  const names = environments && distinctNames(environments).map((name) => environmentsView.named(name) ?? name);
  return {
    agent: {
      ...agent,
      hostname: hostname.trim(),
      resources: wanted ?? agent.resources,
      ownEnvironments: names ? without(names, remoteNames(agent, environmentsView)) : agent.ownEnvironments,
      configState,
    },
    problems: [
      ...found('hostname', [patch.hostname === undefined ? undefined : textProblem(hostname, 'hostname')]),
      ...resourceProblems(agent, wanted),
      ...environmentProblems(names, environmentsView),
    ],
  };
}

export function patchInBulk(
  agent: Agent,
  { resources, environments, configState }: BulkPatch,
  environmentsView: EnvironmentsView,
): PatchedAgent {
  return patchAgent(
    agent,
    {
      ...(hasChange(resources) && { resources: without([...agent.resources, ...resources.add], resources.remove) }),
      ...(hasChange(environments) && { environments: changedEnvironments(agent, environments, environmentsView) }),
      ...(configState && { configState }),
    },
    environmentsView,
  );
}

/** Leaves out environments of the agent that were deleted meanwhile: the request does not name them. */
function changedEnvironments({ ownEnvironments }: Agent, { add, remove }: ListChange, environmentsView: EnvironmentsView): string[] {
  return without([...ownEnvironments.filter((name) => environmentsView.named(name) !== undefined), ...add], remove);
}

export function hasChange({ add, remove }: ListChange): boolean {
  return add.length + remove.length > 0;
}

function resourceProblems({ elastic }: Agent, wanted: readonly string[] | undefined): Problem[] {
  if (!wanted) return [];
  if (elastic && wanted.length > 0) return found('resources', [NO_RESOURCES]);
  return found('resources', [tooMany('resources', wanted), ...wanted.map(resourceProblem)]);
}

function environmentProblems(names: readonly string[] | undefined, environmentsView: EnvironmentsView): Problem[] {
  if (!names) return [];
  const unknown = names.filter((name) => environmentsView.named(name) === undefined).map(unknownEnvironment);
  return found('environments', [tooMany('environments', names), ...unknown]);
}

function tooMany(name: string, list: readonly string[]): string | undefined {
  return list.length > MAX_NAMES ? `\`${name}\` must not have more than ${MAX_NAMES} entries.` : undefined;
}

function remoteNames(agent: Agent, environmentsView: EnvironmentsView): string[] {
  return environmentsView.remoteOf(agent).map(({ name }) => name);
}

function found(key: string, messages: readonly (string | undefined)[]): Problem[] {
  return messages.flatMap((message) => (message === undefined ? [] : [{ at: [key], message }]));
}
