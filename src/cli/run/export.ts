// The command that writes the configuration of a server, or pipelines of it as code, to a file.
import type { ParsedArguments } from '../terminal/command.ts';
import { type Context, pathIn } from '../terminal/context.ts';
import { UsageError } from '../terminal/failures.ts';
import { type ServerValues, serverOf } from '../terminal/target.ts';
import { type ExportRequest, fetchExport } from './fetch-export.ts';

const DEFAULT_PLUGIN = 'yaml.config.plugin';
const JSON_PLUGIN = 'json.config.plugin';

interface ExportValues extends ServerValues {
  readonly pipeline: string | undefined;
  readonly group: string | undefined;
  readonly pipelines: boolean;
  readonly plugin: string | undefined;
}

/** As other programs take it: standard output. */
const STANDARD_OUTPUT = '-';

export async function runExport({ values, positionals: [named] }: ParsedArguments<ExportValues>, context: Context): Promise<number> {
  const { out } = context;
  const file = named === STANDARD_OUTPUT ? undefined : named;
  const request = requestFor(values, file);
  if (request.isArchive && file === undefined && out.isTTY)
    throw new UsageError('Name a FILE: a zip archive cannot be shown on a terminal.');
  await fetchExport(serverOf(values, context), request, file === undefined ? out : pathIn(context, file));
  return 0;
}

function requestFor({ pipeline, group, pipelines, plugin }: ExportValues, file: string | undefined): ExportRequest {
  const given = [pipeline !== undefined, group !== undefined, pipelines].filter(Boolean).length;
  if (given > 1) throw new UsageError('Give only one of --pipeline, --group and --pipelines.');
  if (given === 0 && plugin !== undefined)
    throw new UsageError('--plugin is about pipelines: give --pipeline, --group or --pipelines, too.');
  if (given === 0) return { path: '/api/admin/config.xml', isArchive: false };
  const part = pipeline === undefined ? '' : `/pipelines/${encodeURIComponent(pipeline)}`;
  const parts = group === undefined ? part : `/groups/${encodeURIComponent(group)}`;
  const format = plugin ?? (file?.toLowerCase().endsWith('.json') ? JSON_PLUGIN : DEFAULT_PLUGIN);
  return { path: `/api/admin/export${parts}?plugin_id=${encodeURIComponent(format)}`, isArchive: pipeline === undefined };
}
