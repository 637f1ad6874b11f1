// The command that runs an agent.
import { runAgent } from '../../../agent/main.ts';
import { listOf, serverProblem } from '../../../agent/options.ts';
import { stopSignals } from '../../../agent/stop-signals.ts';
import { COMMAND_VARIABLES } from '../../../server/settings.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import { type Context, pathIn } from '../../terminal/context.ts';
import { UsageError } from '../../terminal/failures.ts';

interface AgentValues {
  readonly server: string | undefined;
  readonly key: string | undefined;
  readonly resources: string | undefined;
  readonly environments: string | undefined;
  readonly name: string | undefined;
  readonly 'work-dir': string | undefined;
  readonly 'elastic-agent-id': string | undefined;
  readonly 'elastic-plugin-id': string | undefined;
}

export async function runAgentCommand({ values }: ParsedArguments<AgentValues>, context: Context): Promise<number> {
  const { environment, out, err } = context;
  const server = values.server ?? environment[COMMAND_VARIABLES.server];
  if (!server) throw new UsageError(`Name the server with --server (${COMMAND_VARIABLES.server}).`);
  const problem = serverProblem(server);
  if (problem !== undefined) throw new UsageError(`--server: ${problem}`);
  const elasticAgentId = values['elastic-agent-id'] ?? (environment[COMMAND_VARIABLES.elasticAgentId] || undefined);
  const elasticPluginId = values['elastic-plugin-id'] ?? (environment[COMMAND_VARIABLES.elasticPluginId] || undefined);
  if ((elasticAgentId === undefined) !== (elasticPluginId === undefined))
    throw new UsageError('Give --elastic-agent-id and --elastic-plugin-id, or neither.');
  const signals = stopSignals();
  try {
    return await runAgent({
      server,
      workDir: pathIn(context, values['work-dir'] ?? './agent'),
      key: values.key ?? (environment[COMMAND_VARIABLES.agentKey] || undefined),
      name: values.name,
      resources: listOf(values.resources),
      environments: listOf(values.environments),
      elasticAgentId,
      elasticPluginId,
      environment,
      print: (line) => void out.write(`${line}\n`),
      printFailure: (line) => void err.write(`${line}\n`),
      onStop: signals.onStop,
    });
  } finally {
    signals.release();
  }
}
