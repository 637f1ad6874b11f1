// The environment of the tasks of a job, and the console lines that list its variables.
import { delimiter, join } from 'node:path';
import type { WorkVariable } from '../../contracts/agent-protocol/work.ts';

const HIDDEN = '********';
/** Variables with which the agent itself was set up and started: keys and passwords of Slipway, and those npm sets for its scripts. */
const OF_THE_AGENT = /^(?:SLIPWAY_|npm_)|^INIT_CWD$/i;

type Variables = Readonly<Record<string, string>>;

/** The variables that builds inherit from the agent. `installation`: its programs are the agent's own, not those of the machine. */
export function inheritedEnvironment(own: Readonly<Record<string, string | undefined>>, installation: string): Variables {
  const entries = Object.entries(own).flatMap(([name, value]) =>
    value === undefined || OF_THE_AGENT.test(name) ? [] : [[name, name === 'PATH' ? withoutOwnPrograms(value, installation) : value]],
  );
  return Object.fromEntries(entries);
}

function withoutOwnPrograms(path: string, installation: string): string {
  const own = join(installation, 'node_modules', '.bin');
  return path
    .split(delimiter)
    .filter((folder) => folder !== own)
    .join(delimiter);
}

export interface JobEnvironment {
  readonly variables: Variables;
  /** One for each variable; secrets are hidden. */
  readonly lines: readonly string[];
}

/** Later ones win. */
export function jobEnvironment(inherited: Variables, given: readonly WorkVariable[]): JobEnvironment {
  const variables: Record<string, string> = { ...inherited };
  const lines = given.map(({ name, value, is_secret: isSecret }) => {
    const line = Object.hasOwn(variables, name)
      ? `overriding environment variable '${name}' with value '${isSecret ? HIDDEN : value}'`
      : `setting environment variable '${name}' to value '${isSecret ? HIDDEN : value}'`;
    variables[name] = value;
    return line;
  });
  return { variables, lines };
}
