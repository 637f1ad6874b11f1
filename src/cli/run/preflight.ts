// The command that has files checked by a server as if they were the content of a config repo.
import { readFileSync } from 'node:fs';
import { basename, extname, isAbsolute, relative, sep } from 'node:path';
import { fetchJson } from '../terminal/ask-server.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import { type Context, painter, pathIn } from '../terminal/context.ts';
import { CommandFailed, UsageError } from '../terminal/failures.ts';
import { type ServerValues, serverOf } from '../terminal/target.ts';
import { type PreflightAnswer, preflightText } from './preflight-text.ts';

const PATH = '/api/admin/config_repo_ops/preflight';
const FILES_FIELD = 'files[]';
const PLUGINS: Readonly<Record<string, string>> = {
  '.yaml': 'yaml.config.plugin',
  '.yml': 'yaml.config.plugin',
  '.json': 'json.config.plugin',
};
const INVALID = 1;

interface PreflightValues extends ServerValues {
  readonly repo: string | undefined;
  readonly ref: string | undefined;
  readonly plugin: string | undefined;
  readonly plan: boolean;
  readonly json: boolean;
}

export async function runPreflight({ values, positionals: files }: ParsedArguments<PreflightValues>, context: Context): Promise<number> {
  const { out, err } = context;
  const query = queryOf(values, files);
  const server = serverOf(values, context);
  const sentNames = namesInRepository(files, context);
  const form = new FormData();
  for (const [name, file] of sentNames) form.append(FILES_FIELD, new Blob([read(file, context)]), name);
  const answer = await fetchJson<PreflightAnswer>(server, `${PATH}?${query}`, {
    method: 'POST',
    ...(files.length === 0 ? { headers: { 'X-Svc-Confirm': 'true' } } : { body: form }),
  });
  if (values.json) out.write(`${JSON.stringify(answer, undefined, 2)}\n`);
  else {
    const stream = answer.valid ? out : err;
    stream.write(preflightText(answer, (name) => sentNames.get(name) ?? name, painter(context, stream)));
  }
  return answer.valid ? 0 : INVALID;
}

function queryOf({ repo, ref, plugin, plan }: PreflightValues, files: readonly string[]): URLSearchParams {
  if (ref !== undefined && files.length > 0) throw new UsageError('Give files or --ref, not both.');
  if (ref !== undefined && repo === undefined) throw new UsageError('--ref needs --repo: the config repo it belongs to.');
  if (ref === undefined && files.length === 0) throw new UsageError('FILE is missing: name the files to check, or give --repo and --ref.');
  const pluginId = plugin ?? (ref === undefined ? pluginFor(files) : undefined);
  return new URLSearchParams({
    ...(pluginId !== undefined && { pluginId }),
    ...(repo !== undefined && { repoId: repo }),
    ...(ref !== undefined && { ref }),
    plan: String(plan),
  });
}

function pluginFor(files: readonly string[]): string {
  const plugins = new Set(files.map((file) => PLUGINS[extname(file).toLowerCase()]));
  const [only] = plugins;
  if (plugins.size === 1 && only !== undefined) return only;
  throw new UsageError('The names of the files do not decide which plugin reads them (.yaml, .yml or .json, not mixed): give --plugin.');
}

/** A file is sent under its name in the repository; messages about it have the given name. */
function namesInRepository(files: readonly string[], context: Context): ReadonlyMap<string, string> {
  const names = new Map(files.map((file) => [nameInRepository(file, context), file]));
  if (names.size < new Set(files).size)
    throw new UsageError('Two of the files have the same name: call this at the root of the repository.');
  return names;
}

function nameInRepository(file: string, context: Context): string {
  const path = relative(context.directory, pathIn(context, file));
  const isOutside = path.startsWith('..') || isAbsolute(path);
  return isOutside ? basename(path) : path.split(sep).join('/');
}

function read(file: string, context: Context): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(readFileSync(pathIn(context, file)));
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    throw new CommandFailed(code === 'EISDIR' ? `${file} is a folder: name the files in it.` : `${file} cannot be read: ${message}`);
  }
}
