// The definition of a type of repository: its attributes, its identity, its form in documents, and how it is reached.
import type { WorkMaterial, WorkRepository } from '../../contracts/agent-protocol/work.ts';
import type { EntityOf, Fields } from '../../shape/field.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import type { ExternalLocation, MaterialClient, PollContext, PolledMaterial } from '../clients/client.ts';
import type { FileSource } from '../files/source.ts';

/** A problem of one attribute, unless a condition holds. */
export type Check = (holds: boolean, key: string, message: string) => Problem[];

export type IdentityPair = readonly [key: string, value: string | boolean | null];

export type Detail = readonly [label: string, value: string | boolean | null];

/** An attribute of the element in config.xml. */
export interface XmlAttribute {
  readonly name: string;
  /** Its name in JSON. */
  readonly member: string;
  readonly is: 'required' | 'optional' | 'flag';
  /** Its value in JSON when it is absent. */
  readonly absent?: string | null;
  /** Its value in JSON when it is absent in a material of a pipeline, where that differs. */
  readonly absentInPipelines?: string | null;
}

export interface XmlForm {
  readonly attributes: readonly XmlAttribute[];
  /** Further ones that only materials of pipelines have. */
  readonly inPipelines?: readonly XmlAttribute[];
  /** Members that are written as elements with a text; they are required. */
  readonly elements?: readonly { readonly name: string; readonly member: string }[];
  /** A user name that is not there: how JSON shows it in config repos, or that it must be there. */
  readonly username: 'omitted' | 'null' | 'required';
  /** Members that the XML cannot say, with the value they have then. */
  readonly unsaid?: Readonly<Record<string, null>>;
}

/** The attributes in files of config repos. */
export interface FileForm {
  /** How messages about a file call the type. */
  readonly title: string;
  readonly needs: readonly string[];
  readonly texts: readonly string[];
  readonly flags?: readonly string[];
  /** Texts that have another name in the API. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** In YAML, `type: address` says both. */
  readonly hasShortForm: boolean;
}

/** Loaded when the first repository of the type is asked: most servers have one or two types. */
export interface RepositoryAccess<M extends PolledMaterial = PolledMaterial> {
  readonly client: MaterialClient<M>;
  /** The files at a revision that a poll has found. */
  openFiles(material: M, revision: string, context: PollContext): Promise<FileSource>;
  /** The files at any branch or commit; absent: only revisions can be asked for. */
  openRequestedFiles?(material: M, requested: string, context: PollContext): Promise<FileSource>;
}

/** A material of a run, for agents: the members that all types have, and its name in the pipeline. */
export interface RepositoryForAgents {
  readonly common: WorkRepository;
  readonly name: string | null;
}

export interface RepositoryDefinition<
  F extends Fields = Fields,
  Before extends Fields = Fields,
  After extends Fields = Fields,
  Identity = EntityOf<Fields>,
> {
  /** Its name for people. */
  readonly title: string;
  /** Its name in fingerprints, and in messages about its attributes. */
  readonly className: string;
  /** The attribute that says where it is. */
  readonly addressedBy: 'url' | 'port';
  /** All attributes that say where the repository is and how to log in, in the order of config repos. */
  readonly fields: F;
  /** The attributes of a material of a pipeline, before and after those that all types share. */
  readonly inPipelines: { readonly before: Before; readonly after: After };
  /** `branchMark` stands before a branch in a URL: in a pipeline, whose parameters are replaced, `##` has become `#`. */
  problems(attributes: EntityOf<F>, check: Check, branchMark: '##' | '#'): Problem[];
  /** The attributes that two materials of the same repository share, in the order of the fingerprint. The address is in clear. */
  identity(attributes: Identity): readonly IdentityPair[];
  /** What messages say of it after its address. A label is one word: `Branch`, `ProjectPath`. */
  details(attributes: EntityOf<F>): readonly Detail[];
  /** Whether a URL may end with `#branch`. */
  readonly namesBranchInUrl?: boolean;
  /** Whether the names of its files begin with a slash. */
  readonly pathsBeginWithSlash?: boolean;
  readonly xml: XmlForm;
  readonly file: FileForm;
  /** The material of a repository that this one includes; absent: it includes none. */
  external?(owner: PolledMaterial, location: ExternalLocation): PolledMaterial;
  /** The form by which agents check it out; null: they cannot. */
  forAgents: ((material: PolledMaterial, to: RepositoryForAgents) => WorkMaterial) | null;
  /** Variables of jobs that only materials of this type set: `BRANCH` is `GO_MATERIAL_BRANCH`. Those that are empty are not set. */
  jobVariables?(material: PolledMaterial): Readonly<Record<string, string>>;
  load(): Promise<RepositoryAccess>;
}

/** An attribute of a material in clear; a text that is not there is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function defineRepository<F extends Fields, Before extends Fields, After extends Fields, Identity>(
  definition: RepositoryDefinition<F, Before, After, Identity>,
): RepositoryDefinition<F, Before, After, Identity> {
  return definition;
}
