// Runs commands of git that connect to the remote repository. Git follows no redirects: we do, and judge where they lead.
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, type CommandResult } from '../../../kit/process/command.ts';
import type { RunOptions } from '../../clients/program.ts';
import type { Git } from './git.ts';

const MAX_REDIRECTS = 5;
const REDIRECTED = /The requested URL returned error: 30[12378]\b/;
const LOCATION = /<= Recv header: location: *(\S+)/gi;

export async function runRemoteGit(git: Git, args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  for (let redirects = 0; ; redirects++) {
    try {
      return await git.program.run(args, { ...options, env: { ...options.env, ...(await git.route.environment()) } });
    } catch (failure) {
      if (!isRedirect(failure) || redirects === MAX_REDIRECTS) throw failure;
      const location = await locationFor(git, options);
      if (location === undefined || !git.route.moveTo(location)) throw failure;
    }
  }
}

function isRedirect(failure: unknown): boolean {
  return failure instanceof CommandFailure && REDIRECTED.test(failure.stderr);
}

/** Where the server redirects git to: git reports it only in a trace of its requests. The trace holds no credentials. */
async function locationFor({ program, source, route, directory }: Git, { signal }: RunOptions): Promise<string | undefined> {
  const trace = join(directory, `trace-${randomUUID()}`);
  const env = { ...(await route.environment()), GIT_TRACE_CURL: trace, GIT_TRACE_CURL_NO_DATA: '1', GIT_TRACE_REDACT: '1' };
  try {
    await program.run(['ls-remote', '--quiet', '--heads', '--', source], { isQuick: true, env, ...(signal && { signal }) });
    return undefined;
  } catch (failure) {
    if (!isRedirect(failure)) throw failure;
    const [, location] = [...(await readFile(trace, 'utf8')).matchAll(LOCATION)].at(-1) ?? [];
    return location;
  } finally {
    await rm(trace, { force: true });
  }
}
