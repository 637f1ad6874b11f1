// What a file says, in the form in which it is kept: an outline that is looked at often, and the rest, which is large and seldom needed.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Body, DefinedEnvironment, DefinedPipeline, FileProblem, ParsedFile } from '../../contracts/plugins/config-repo.ts';

export interface Outline {
  readonly version?: number;
  readonly pipelines: readonly Omit<DefinedPipeline, 'file' | 'body' | 'places'>[];
  readonly environments: readonly Omit<DefinedEnvironment, 'file' | 'body' | 'places' | 'agents'>[];
  readonly problems: readonly FileProblem[];
  readonly warnings: readonly FileProblem[];
}

export interface PackedFile {
  readonly outline: Outline;
  /** Empty when there are problems: then nobody may use it. */
  readonly rest: string;
}

interface Rest {
  readonly pipelines: readonly PackedBody[];
  readonly environments: readonly (PackedBody & Pick<DefinedEnvironment, 'agents'>)[];
}

interface PackedBody {
  readonly body: Body;
  readonly places: string;
}

const NOWHERE = new Uint32Array();

export function packed({ version, pipelines, environments, problems, warnings }: ParsedFile): PackedFile {
  const outline: Outline = {
    ...(version !== undefined && { version }),
    pipelines: pipelines.map(({ file, body, places, ...rest }) => rest),
    environments: environments.map(({ file, body, places, agents, ...rest }) => rest),
    problems,
    warnings,
  };
  const rest: Rest = {
    pipelines: pipelines.map(packedBody),
    environments: environments.map((environment) => ({ ...packedBody(environment), agents: environment.agents })),
  };
  return { outline, rest: problems.length > 0 ? '' : deflateRawSync(JSON.stringify(rest)).toString('base64') };
}

export function unpacked(path: string, { outline, rest }: PackedFile): ParsedFile {
  const { pipelines, environments } = JSON.parse(inflateRawSync(Buffer.from(rest, 'base64')).toString('utf8')) as Rest;
  return {
    ...sketched(path, outline),
    pipelines: outline.pipelines.map((one, index) => ({ ...one, file: path, ...unpackedBody(pipelines[index]!) })),
    environments: outline.environments.map((one, index) => {
      const { agents, ...body } = environments[index]!;
      return { ...one, file: path, ...unpackedBody(body), agents };
    }),
  };
}

/** All that is known without the rest: bodies are empty. */
export function sketched(path: string, { version, pipelines, environments, problems, warnings }: Outline): ParsedFile {
  const empty = { file: path, body: {}, places: NOWHERE };
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

function packedBody({ body, places }: DefinedPipeline | DefinedEnvironment): PackedBody {
  return { body, places: Buffer.from(places.buffer, places.byteOffset, places.byteLength).toString('base64') };
}

function unpackedBody({ body, places }: PackedBody): { readonly body: Body; readonly places: Uint32Array } {
  const bytes = Uint8Array.from(Buffer.from(places, 'base64'));
  return { body, places: new Uint32Array(bytes.buffer) };
}
