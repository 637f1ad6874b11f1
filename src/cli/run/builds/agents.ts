// The commands that list agents, and that enable, disable and delete them.
import { writeListing } from '../../output/listing.ts';
import { widthOf, withoutLinks } from '../../output/output.ts';
import { acceptedBy, answerOf, fetchJson, sending } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { CommandFailed } from '../../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import { type AgentAnswer, agentsTable, agentsText } from './agents-text.ts';

const AGENTS = '/api/agents';

interface ListAnswer {
  readonly _embedded: { readonly agents: readonly AgentAnswer[] };
}

interface AgentsValues extends ServerValues {
  readonly json: boolean;
  readonly output: string | undefined;
}

export async function runAgents({ values }: ParsedArguments<AgentsValues>, context: Context): Promise<number> {
  const answer = await fetchJson<ListAnswer>(serverOf(values, context), AGENTS);
  const { agents } = answer._embedded;
  if (values.output === undefined) {
    context.out.write(values.json ? `${JSON.stringify(answer, undefined, 2)}\n` : agentsText(agents, widthOf(context)));
    return 0;
  }
  const listing = {
    key: 'agents',
    members: agents.map((one) => withoutLinks({ ...one })),
    names: agents.map(({ uuid }) => uuid),
    table: () => agentsTable(agents),
    none: 'There are no agents.',
  };
  return writeListing(listing, values, context);
}

type AgentArguments = ParsedArguments<ServerValues>;

export function runAgentsEnable(given: AgentArguments, context: Context): Promise<number> {
  return change(given, context, (uuids) => sending('PATCH', { uuids, agent_config_state: 'Enabled' }));
}

export function runAgentsDisable(given: AgentArguments, context: Context): Promise<number> {
  return change(given, context, (uuids) => sending('PATCH', { uuids, agent_config_state: 'Disabled' }));
}

export function runAgentsDelete(given: AgentArguments, context: Context): Promise<number> {
  return change(given, context, (uuids) => sending('DELETE', { uuids }));
}

async function change(
  { values, positionals }: AgentArguments,
  context: Context,
  ask: (uuids: readonly string[]) => RequestInit,
): Promise<number> {
  const server = serverOf(values, context);
  const response = await acceptedBy(server, AGENTS, ask(await uuidsOf(server, positionals)));
  context.out.write(`${String((await answerOf(response, server)).message)}\n`);
  return 0;
}

/** Agents are named by their uuid, or by a name that only one has. */
async function uuidsOf(server: RemoteServer, namesOrUuids: readonly string[]): Promise<readonly string[]> {
  const { agents } = (await fetchJson<ListAnswer>(server, AGENTS))._embedded;
  const uuids = namesOrUuids.map((nameOrUuid) => {
    const found = agents.filter(({ uuid, hostname }) => [uuid, hostname].some((one) => one.toLowerCase() === nameOrUuid.toLowerCase()));
    if (found.length === 0) throw new CommandFailed(`There is no agent ${nameOrUuid}.`);
    if (found.length > 1) throw new CommandFailed(`Several agents are called ${nameOrUuid}: ${found.map(({ uuid }) => uuid).join(', ')}.`);
    return found[0]!.uuid;
  });
  return [...new Set(uuids)];
}
