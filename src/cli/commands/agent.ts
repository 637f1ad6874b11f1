// Declares the command that runs an agent.
import { COMMAND_VARIABLES } from '../../server/settings.ts';
import { command } from '../terminal/command.ts';

export const agentCommand = command({
  name: 'agent',
  group: 'Operation',
  summary: 'run an agent, which builds jobs for a server',
  details: [
    'It runs until it is ended by a signal, which also ends the job it works on. With the auto-register key of the server it can work at once; without it an administrator has to enable it first. A server that is away is no reason to end: the agent builds on and waits.',
    'The work directory holds the identity of this agent, copies of repositories and the folders of pipelines. A directory belongs to one agent. Where the server has a certificate of an own authority, name that with NODE_EXTRA_CA_CERTS.',
    'An elastic agent ends when the server has deleted it.',
    'Tasks can do everything that the user of this process may do. They inherit its environment, without variables that begin with SLIPWAY_.',
  ],
  flags: {
    server: { value: 'URL', about: 'address of the server', variable: COMMAND_VARIABLES.server },
    key: { value: 'KEY', about: 'auto-register key of the server', variable: COMMAND_VARIABLES.agentKey },
    resources: { value: 'A,B', about: 'what this agent has, for jobs that ask for it; counts with a key' },
    environments: { value: 'X,Y', about: 'environments of this agent; counts with a key' },
    name: { value: 'NAME', about: 'name among the agents', absent: 'that of the machine' },
    'work-dir': { value: 'DIR', about: 'work directory', absent: './agent' },
    'elastic-agent-id': { value: 'ID', about: 'of an agent that a plugin has started: its id', variable: COMMAND_VARIABLES.elasticAgentId },
    'elastic-plugin-id': { value: 'ID', about: 'and the id of that plugin', variable: COMMAND_VARIABLES.elasticPluginId },
  },
  examples: [
    { command: 'agent --server https://cd.example.org', about: 'waits to be enabled' },
    {
      command: 'agent --server https://cd.example.org --resources linux,docker --work-dir /var/lib/agent',
      about: 'the key is in SLIPWAY_AGENT_KEY',
    },
  ],
  exits: { 0: 'ended by a signal', 1: 'the server refused, or the work directory cannot be used', 2: 'wrong command line' },
  wrongUse: 2,
  load: async () => (await import('../run/agents/agent.ts')).runAgentCommand,
});
