// Declares the commands that list agents, and say which may work.
import { command } from '../terminal/command.ts';
import { EXIT_CODES, JSON_FLAG, OUTPUT_FLAG, SERVER_FLAGS } from '../terminal/flags.ts';

const AGENTS = [
  { name: 'AGENT', about: 'the uuid of an agent, or its name where only one has it', isRepeated: true, offers: 'agent' },
] as const;

export const agentsCommand = command({
  name: 'agents',
  group: 'Builds',
  summary: 'list the agents, and what each does',
  flags: { ...OUTPUT_FLAG, ...JSON_FLAG, ...SERVER_FLAGS },
  examples: [{ command: 'agents', about: 'server and login come from the environment' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/builds/agents.ts')).runAgents,
});

export const agentsEnableCommand = command({
  name: 'agents enable',
  group: 'Builds',
  summary: 'let agents work, also those that have registered and wait for it',
  arguments: AGENTS,
  flags: SERVER_FLAGS,
  examples: [{ command: 'agents enable build-1 build-2', about: 'server and login come from the environment' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/builds/agents.ts')).runAgentsEnable,
});

export const agentsDisableCommand = command({
  name: 'agents disable',
  group: 'Builds',
  summary: 'give agents no more work; what they build now goes on',
  arguments: AGENTS,
  flags: SERVER_FLAGS,
  examples: [{ command: 'agents disable build-1', about: 'before the machine is shut down' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/builds/agents.ts')).runAgentsDisable,
});

export const agentsDeleteCommand = command({
  name: 'agents delete',
  group: 'Builds',
  summary: 'forget agents that are disabled',
  arguments: AGENTS,
  flags: SERVER_FLAGS,
  examples: [{ command: 'agents delete build-1', about: 'all of them, or none' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/builds/agents.ts')).runAgentsDelete,
});
