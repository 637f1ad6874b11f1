// Definitions as plugins give them, and a configuration into which they can be published.
import { repoOriginOf } from '../../src/config/repo-origin.ts';
import type { MergeProblem, Publication } from '../../src/config-repos/publish/publication.ts';
import { Publisher } from '../../src/config-repos/publish/publisher.ts';
import { refuseRemoteEdits } from '../../src/config-repos/publish/read-only.ts';
import { withdrawWithDeleted } from '../../src/config-repos/publish/withdraw.ts';
import type { DefinedEnvironment, DefinedPipeline } from '../../src/contracts/plugins/config-repo.ts';
import type { EntityNamed, KindName } from '../../src/shape/configuration.ts';
import { readEntity } from '../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';

const AUTHOR = { actor: 'ada', token: null, address: null, reason: null };
const NOWHERE = new Uint32Array([7, 3]);
export const ANYTHING = [{ directive: 'allow', action: '*', type: '*', resource: '*' }];

export function pipeline(name: string, more: JsonObject & { file?: string; group?: string } = {}): DefinedPipeline {
  const { file = 'a.gocd.yaml', group = 'g', ...fields } = more;
  const body = {
    name,
    group,
    materials: [{ type: 'git', attributes: { url: `https://scm.example.org/${name}.git` } }],
    stages: [{ name: 's', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
    ...fields,
  };
  return { name, group, body, file, line: 2, column: 3, positions: NOWHERE, displayOrder: -1 };
}

export const after = (upstream: string) => ({
  materials: [{ type: 'dependency', attributes: { pipeline: upstream, stage: 's' } }],
});

export function environment(name: string, body: JsonObject = {}, file = 'a.gocd.yaml', agents: readonly string[] = []): DefinedEnvironment {
  return { name, body: { name, ...body }, file, line: 1, column: 1, positions: NOWHERE, agents };
}

export class RepoLab {
  readonly configuration: TestConfiguration;
  readonly publisher: Publisher;

  private constructor(configuration: TestConfiguration) {
    this.configuration = configuration;
    const { config, changes, parts } = configuration;
    changes.addCompletion(refuseRemoteEdits);
    changes.addCompletion(withdrawWithDeleted);
    this.publisher = new Publisher({ config, changes, tools: parts.tools, locate: () => ({ line: 7, column: 3 }) });
  }

  /** Opens a lab in an existing data directory, or in one that is removed with it. */
  static async open(dataDir?: string): Promise<RepoLab> {
    return new RepoLab(await TestConfiguration.open(dataDir));
  }

  /** Adds or replaces an entity of the server's own configuration. */
  async put(kindName: KindName, body: JsonObject): Promise<void> {
    const { changes, config, parts } = this.configuration;
    const kind = config.kind(kindName);
    await changes.apply(AUTHOR, (draft) => {
      const { entity, problems } = readEntity(kind, body, { ruleView: draft.ruleView }, parts.tools);
      draft.put(kind, String(body.id ?? body.name ?? ''), entity, problems);
    });
  }

  async remove(kindName: KindName, id: string): Promise<void> {
    const { changes, config } = this.configuration;
    await changes.apply(AUTHOR, (draft) => draft.remove(config.kind(kindName), id));
  }

  addRepo(id: string, rules: readonly JsonObject[] = ANYTHING, branch = 'main'): Promise<void> {
    const material = { type: 'git', attributes: { url: `https://scm.example.org/${id}.git`, branch } };
    return this.put('configRepos', { id, plugin_id: 'yaml.config.plugin', material, rules: [...rules] });
  }

  publish(repo: string, more: Partial<Publication> & { dryRun?: boolean } = {}): Promise<readonly MergeProblem[]> {
    const { dryRun = false, ...rest } = more;
    const publication: Publication = {
      repo,
      revision: '1',
      source: `${repo}.git at revision ${rest.revision ?? '1'}`,
      pipelines: [],
      environments: [],
      isInForce: () => false,
      material: { type: 'git', attributes: { url: `https://scm.example.org/${repo}.git`, branch: 'main' } },
      rules: ANYTHING,
      ...rest,
    };
    return this.publisher.publish(publication, AUTHOR, { dryRun });
  }

  /** The entities of a kind in force, each with the repo it comes from. */
  inForce(kindName: KindName): string[] {
    const { config } = this.configuration;
    return [...config.of(kindName).all()].map(({ value }) => {
      const origin = repoOriginOf(value);
      return `${String(value.name ?? value.id ?? value.repo)}${origin ? ` from ${origin.repo}:${origin.file}` : ''}`;
    });
  }

  value<K extends KindName>(kindName: K, id: string): EntityNamed<K> | undefined {
    return this.configuration.config.of(kindName).find(id)?.value;
  }
}
