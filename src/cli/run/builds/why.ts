// The command that says why a pipeline or a job runs or does not.
import { fetchJson } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { type ServerValues, serverOf } from '../../terminal/target.ts';
import type { JobWhy, PipelineWhy } from './answers.ts';
import { readJobAddress, resolveJobAddress } from './job-address.ts';
import { jobPath, pipelinePath } from './paths.ts';
import { jobWhyText, pipelineWhyText } from './why-text.ts';

interface WhyValues extends ServerValues {
  readonly json: boolean;
}

export async function runWhy({ values, positionals: [name = ''] }: ParsedArguments<WhyValues>, context: Context): Promise<number> {
  const address = name.includes('/') ? readJobAddress(name) : undefined;
  const server = serverOf(values, context);
  const show = <T>(answer: T, text: (answer: T) => string) =>
    context.out.write(values.json ? `${JSON.stringify(answer, undefined, 2)}\n` : text(answer));
  if (address) {
    const job = await resolveJobAddress(server, address);
    show(await fetchJson<JobWhy>(server, jobPath(job, 'why')), (why) => jobWhyText(job, why));
  } else {
    show(await fetchJson<PipelineWhy>(server, pipelinePath(name, 'why')), (why) => pipelineWhyText(name, why));
  }
  return 0;
}
