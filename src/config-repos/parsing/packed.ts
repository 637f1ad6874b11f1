// The definitions of a file, in their stored form: an outline that is read often, and the rest, which is large and seldom needed.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Body, DefinedEnvironment, DefinedPipeline, FileProblem, ParsedFile } from '../../contracts/plugins/config-repo.ts';

export interface Outline {
  readonly version?: number;
  /** How many characters its definitions have, with everything written out. */
  readonly size?: number;
  readonly pipelines: readonly Omit<DefinedPipeline, 'file' | 'body' | 'positions'>[];
  readonly environments: readonly Omit<DefinedEnvironment, 'file' | 'body' | 'positions' | 'agents'>[];
  readonly problems: readonly FileProblem[];
  readonly warnings: readonly FileProblem[];
}

export interface PackedFile {
  readonly outline: Outline;
  /** Empty when there are problems: then the definitions must not be used. */
  readonly rest: string;
}

interface Rest {
  readonly pipelines: readonly PackedBody[];
  readonly environments: readonly (PackedBody & Pick<DefinedEnvironment, 'agents'>)[];
}

interface PackedBody {
  readonly body: Body;
  /** The `positions`, in base64: stored files have them under this name. */
  readonly places: string;
}

const NOWHERE = new Uint32Array();
/** Counts aliases by their values, written out. The server itself parses the text again, and does nothing else meanwhile. */
const MAX_CHARACTERS = 50_000_000;
const TOO_MUCH = `The definitions of the file are more than ${MAX_CHARACTERS / 1_000_000} million characters long, with everything written out that aliases stand for.`;
const SIZE_HINT = 'Let fewer definitions share what is long, or make it shorter.';

/** Maximum number of characters of definitions that are read together: they are in memory several times over. */
const MAX_CHARACTERS_AT_A_TIME = 100_000_000;
const TOO_MUCH_AT_A_TIME = {
  message: `The definitions that are new or changed are more than ${MAX_CHARACTERS_AT_A_TIME / 1_000_000} million characters long, with everything written out that aliases stand for.`,
  hint: SIZE_HINT,
};

/** The problem of files whose definitions are too large together; undefined: they are not. */
export function sizeProblem(sizes: Iterable<number>): { readonly message: string; readonly hint: string } | undefined {
  let sum = 0;
  for (const size of sizes) sum += size;
  return sum > MAX_CHARACTERS_AT_A_TIME ? TOO_MUCH_AT_A_TIME : undefined;
}

export function packed({ path, version, pipelines, environments, problems, warnings }: ParsedFile): PackedFile {
  const outline = {
    ...(version !== undefined && { version }),
    pipelines: pipelines.map(({ file, body, positions, ...rest }) => rest),
    environments: environments.map(({ file, body, positions, agents, ...rest }) => rest),
    problems,
    warnings,
  };
  const rest: Rest = {
    pipelines: pipelines.map(packedBody),
    environments: environments.map((environment) => ({ ...packedBody(environment), agents: environment.agents })),
  };
  const text = problems.length > 0 ? '' : JSON.stringify(rest);
  const names = pipelines.reduce((sum, { name, group }) => sum + name.length + group.length, 0);
  const size = names + text.length;
  if (size > MAX_CHARACTERS) return { outline: unreadable(path, TOO_MUCH, SIZE_HINT), rest: '' };
  return { outline: { ...outline, size }, rest: text && deflateRawSync(text).toString('base64') };
}

export function unpacked(path: string, { outline, rest }: PackedFile): ParsedFile {
  const { pipelines, environments } = JSON.parse(inflateRawSync(Buffer.from(rest, 'base64')).toString('utf8')) as Rest;
  return {
    ...fromOutline(path, outline),
    pipelines: outline.pipelines.map((one, index) => ({ ...one, file: path, ...unpackedBody(pipelines[index]!) })),
    environments: outline.environments.map((one, index) => {
      const { agents, ...body } = environments[index]!;
      return { ...one, file: path, ...unpackedBody(body), agents };
    }),
  };
}

/** All that is known without the rest: bodies are empty. */
export function fromOutline(path: string, { version, pipelines, environments, problems, warnings }: Outline): ParsedFile {
  const empty = { file: path, body: {}, positions: NOWHERE };
  return {
    path,
    version,
    pipelines: pipelines.map((one) => ({ ...one, ...empty })),
    environments: environments.map((one) => ({ ...one, ...empty, agents: [] })),
    problems,
    warnings,
  };
}

/** The outline of a file that could not be read at all. */
export function unreadable(path: string, message: string, hint?: string): Outline {
  const problem: FileProblem = { file: path, line: 1, column: 1, entity: undefined, location: path, message, hint };
  return { pipelines: [], environments: [], problems: [problem], warnings: [] };
}

function packedBody({ body, positions }: DefinedPipeline | DefinedEnvironment): PackedBody {
  return { body, places: Buffer.from(positions.buffer, positions.byteOffset, positions.byteLength).toString('base64') };
}

function unpackedBody({ body, places }: PackedBody): { readonly body: Body; readonly positions: Uint32Array } {
  const bytes = Uint8Array.from(Buffer.from(places, 'base64'));
  return { body, positions: new Uint32Array(bytes.buffer) };
}
