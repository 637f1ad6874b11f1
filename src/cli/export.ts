// The command that writes the configuration of a server, or pipelines of it as code, to a file.
import { COMMAND_VARIABLES } from '../settings.ts';
import { ServerRefused } from './ask-server.ts';
import { type Problem, readCommand, runCommand } from './command-line.ts';
import { ExportFailed, type ExportWish, fetchExport } from './export-there.ts';
import { type Environment, LOGIN_USAGE, type RemoteServer, serverOf, TARGET_OPTIONS } from './target.ts';

const REFUSED = 1;
const WRONG_USE = 2;
const USUAL_PLUGIN = 'yaml.config.plugin';
const JSON_PLUGIN = 'json.config.plugin';
const OPTIONS = {
  ...TARGET_OPTIONS,
  pipeline: { type: 'string' },
  group: { type: 'string' },
  pipelines: { type: 'boolean', default: false },
  plugin: { type: 'string' },
} as const;

const EXPORT_USAGE = `Usage: npm run slipway -- export [FILE] [options]

Writes the configuration of a server that runs to a file, or to standard output: all of it as one configuration file in XML
(cruise-config.xml), or pipelines as code, for a config repo. Secrets stay encrypted.

  --pipeline NAME     one pipeline, as a file of a config repo
  --group NAME        the pipelines of a group, as a zip archive of such files
  --pipelines         all pipelines and environments, as a zip archive
  --plugin ID         the config-repo plugin in whose format pipelines are written (${USUAL_PLUGIN};
                      ${JSON_PLUGIN} where the name of the file ends in .json)
  --url URL           the address of the server (${COMMAND_VARIABLES.url})
${LOGIN_USAGE}  --help              this text

Ends with 0 when it is done, 1 when it is refused, 2 when the command is wrong.
`;

/** What an export is written to where no file is named. */
export interface ExportStreams {
  readonly out: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly err: (text: string) => unknown;
}

interface ExportCommand {
  readonly server: RemoteServer;
  readonly wish: ExportWish;
  readonly file: string | undefined;
}

/** Returns the status to end with. */
export function runExport(args: readonly string[], environment: Environment, { out, err }: ExportStreams): Promise<number> {
  const command = readCommand(args, OPTIONS, (values, [file, ...more]): ExportCommand | Problem => {
    if (more.length > 0) return { problem: `One file at a time: ${more.join(' ')} is too much.` };
    const wish = wishIn(values, file);
    if ('problem' in wish) return wish;
    if (wish.isArchive && file === undefined && out.isTTY) return { problem: 'Say which file: an archive is nothing for a terminal.' };
    const server = serverOf(values, environment);
    return 'problem' in server ? server : { server, wish, file };
  });
  const streams = { out: (text: string) => out.write(text), err };
  return runCommand(command, { usage: EXPORT_USAGE, wrongUse: WRONG_USE }, streams, async ({ server, wish, file }) => {
    try {
      await fetchExport(server, wish, file ?? out);
      return 0;
    } catch (failure) {
      if (!(failure instanceof ServerRefused || failure instanceof ExportFailed)) throw failure;
      err(`${failure.message}\n`);
      return REFUSED;
    }
  });
}

interface ExportValues {
  readonly pipeline?: string | undefined;
  readonly group?: string | undefined;
  readonly pipelines: boolean;
  readonly plugin?: string | undefined;
}

function wishIn({ pipeline, group, pipelines, plugin }: ExportValues, file: string | undefined): ExportWish | Problem {
  const given = [pipeline !== undefined, group !== undefined, pipelines].filter(Boolean).length;
  if (given > 1) return { problem: 'Give one of --pipeline, --group and --pipelines.' };
  if (given === 0 && plugin !== undefined) return { problem: '--plugin is about pipelines: give --pipeline, --group or --pipelines, too.' };
  if (given === 0) return { path: '/api/admin/config.xml', isArchive: false };
  const part = pipeline === undefined ? '' : `/pipelines/${encodeURIComponent(pipeline)}`;
  const parts = group === undefined ? part : `/groups/${encodeURIComponent(group)}`;
  const format = plugin ?? (file?.toLowerCase().endsWith('.json') ? JSON_PLUGIN : USUAL_PLUGIN);
  return { path: `/api/admin/export${parts}?plugin_id=${encodeURIComponent(format)}`, isArchive: pipeline === undefined };
}
