// The configuration as the engine sees it: pipelines with their templates, parameters, environments and materials.
import {
  type BuildConfig,
  type ConfiguredMaterial,
  type ConfiguredStage,
  keyOfName,
  type PipelineDefinition,
  type Upstream,
} from '../../builds/configured.ts';
import type { Config } from '../../config/current.ts';
import { kindAndKeyIn, nameOf } from '../../config/references.ts';
import type { Past } from '../../history/past.ts';
import { MaterialCatalogue } from '../../materials/catalogue/catalogue.ts';
import type { MaterialTools } from '../../materials/catalogue/identity.ts';
import type { FoundMaterial } from '../../materials/catalogue/material.ts';
import { longDescription, shortDescription } from '../../materials/catalogue/messages.ts';
import { unionOf } from '../../resources/parts/environment-union.ts';
import { resolved, resolvedStages } from '../../resources/parts/resolved.ts';
import type { MaterialOf } from '../../resources/pipelines/materials.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';

type Pipeline = EntityNamed<'pipelines'>;

interface Parts {
  readonly config: Config;
  readonly catalogue: Pick<MaterialCatalogue, 'current' | 'ofPipeline' | 'ofConfigRepo'>;
  readonly tools: MaterialTools;
  readonly past: Pick<Past, 'config'>;
}

/** The kinds that a pipeline depends on, for the configuration of another time. */
const KINDS: readonly KindName[] = [
  'pipelines',
  'templates',
  'scms',
  'packages',
  'packageRepositories',
  'pipelineGroups',
  'configRepos',
  'publishedRevisions',
];

export function openBuildConfig({ config, catalogue, tools, past }: Parts): BuildConfig {
  const pipelines = config.of('pipelines');
  const usersOf = async (fingerprint: string) =>
    (await catalogue.current()).get(fingerprint)?.uses.map(({ pipeline }) => keyOfName(pipeline)) ?? [];
  const find = (name: string) => findIn(config, catalogue, name);
  return {
    get revision() {
      return config.revision;
    },
    find,
    at: async (revision, name) => {
      const then = await past.config(KINDS, revision);
      return findIn(then, new MaterialCatalogue(then, tools), name);
    },
    stagesOf: (name) => {
      const pipeline = pipelines.find(name)?.value;
      return pipeline && stagesOf(pipeline, config);
    },
    groupOf: (name) => pipelines.find(name)?.value.group,
    keys: () => [...pipelines.all()].map(({ key }) => key),
    materials: async () => (await catalogue.current()).keys(),
    usersOf,
    below: async (pipeline, stage) => {
      const found = new Map<string, ConfiguredMaterial>();
      for (const referrer of config.references.of(nameOf(pipelines.kind, keyOfName(pipeline)))) {
        const { kind, key } = kindAndKeyIn(referrer);
        const user = kind === 'pipelines' ? await find(key) : undefined;
        for (const material of user?.materials ?? []) if (isOn(material, pipeline, stage)) found.set(material.fingerprint, material);
      }
      return [...found.values()];
    },
    dependentsOf: (pipeline) => dependentsOf(config, pipeline),
    environmentOf: (name) => environmentOf(config, name),
    pluginOfProfile: (profile) => {
      const cluster = config.of('elasticProfiles').find(profile)?.value.clusterProfileId;
      return (cluster && config.of('clusterProfiles').find(cluster)?.value.pluginId) || null;
    },
    get jobTimeout() {
      const written = config.of('jobTimeout').find('')?.value.defaultJobTimeout;
      return Number(written ?? 0) || 0;
    },
  };
}

function isOn({ upstream }: ConfiguredMaterial, pipeline: string, stage: string): boolean {
  return upstream !== undefined && keyOfName(upstream.pipeline) === keyOfName(pipeline) && keyOfName(upstream.stage) === keyOfName(stage);
}

function dependentsOf(config: Config, pipeline: string): string[] {
  const pipelines = config.of('pipelines');
  const key = keyOfName(pipeline);
  const found: string[] = [];
  for (const referrer of config.references.of(nameOf(pipelines.kind, key))) {
    const { kind, key: user } = kindAndKeyIn(referrer);
    const written = kind === 'pipelines' ? pipelines.find(user)?.value : undefined;
    const isAbove = ({ type, attributes }: Pipeline['materials'][number]) =>
      type === 'dependency' && keyOfName(attributes.pipeline) === key;
    if (written && resolved(written).materials.some(isAbove)) found.push(written.name);
  }
  return found;
}

async function findIn(
  config: Config,
  catalogue: Pick<MaterialCatalogue, 'ofPipeline' | 'ofConfigRepo'>,
  name: string,
): Promise<PipelineDefinition | undefined> {
  const written = config.of('pipelines').find(name)?.value;
  if (!written) return undefined;
  const pipeline = resolved(written);
  const found = await catalogue.ofPipeline(written.name);
  const repo = written.origin?.repo;
  const repoOf = (other: string) => config.of('pipelines').find(other)?.value.origin?.repo;
  return {
    key: keyOfName(pipeline.name),
    name: pipeline.name,
    group: pipeline.group,
    labelTemplate: pipeline.labelTemplate,
    lockBehavior: pipeline.lockBehavior,
    timer: pipeline.timer,
    parameters: pipeline.parameters,
    variables: pipeline.environmentVariables,
    stages: stagesOf(written, config),
    materials: found.map((material) => configuredMaterial(material, (other) => repo !== undefined && repoOf(other) === repo)),
    definedBy: repo === undefined ? undefined : await definedBy(repo, config, catalogue),
  };
}

function stagesOf(pipeline: Pipeline, config: Config): readonly ConfiguredStage[] {
  if (pipeline.template === null) return resolved(pipeline).stages ?? [];
  const template = config.of('templates').find(pipeline.template)?.value;
  return template ? resolvedStages(template.stages, pipeline) : [];
}

async function definedBy(repo: string, config: Config, catalogue: Pick<MaterialCatalogue, 'ofConfigRepo'>) {
  const material = await catalogue.ofConfigRepo(repo);
  const revision = config.of('publishedRevisions').find(repo)?.value.revision ?? null;
  return material && { repo, fingerprint: material.fingerprint, revision };
}

/** The attributes that several types of materials have. */
interface Attributes {
  readonly name?: string | null;
  readonly destination?: string | null;
  readonly filter?: readonly string[];
  readonly invertFilter?: boolean;
  readonly ignoreForScheduling?: boolean;
}

function configuredMaterial(found: FoundMaterial, isOfSameRepo: (pipeline: string) => boolean): ConfiguredMaterial {
  const { written } = found;
  const attributes: Attributes = written.type === 'package' ? {} : written.attributes;
  return {
    found,
    fingerprint: found.fingerprint,
    type: found.type,
    name: attributes.name || (found.definition ? shortDescription(found).replace(': ', ':') : null),
    folder: attributes.destination || null,
    description: longDescription(found),
    filter: attributes.filter ?? [],
    isFilterInverted: attributes.invertFilter ?? false,
    isIgnoredForScheduling: attributes.ignoreForScheduling ?? false,
    upstream: written.type === 'dependency' ? upstreamOf(written.attributes, isOfSameRepo) : undefined,
  };
}

function upstreamOf({ pipeline, stage }: MaterialOf<'dependency'>['attributes'], isOfSameRepo: (pipeline: string) => boolean): Upstream {
  return { pipeline, stage, isOfSameRepo: isOfSameRepo(pipeline) };
}

function environmentOf(config: Config, pipeline: string) {
  const { kind } = config.of('pipelines');
  const parts = config.of('environmentParts');
  for (const referrer of config.references.of(nameOf(kind, keyOfName(pipeline)))) {
    const { kind: kindName, key } = kindAndKeyIn(referrer);
    const name = kindName === 'environments' ? key : kindName === 'environmentParts' ? parts.find(key)?.value.environment : undefined;
    const own = name === undefined ? undefined : config.of('environments').find(name)?.value;
    if (!own) continue;
    const more = [...config.references.of(nameOf(config.of('environments').kind, name!))].flatMap((user) => {
      const { kind: userKind, key: userKey } = kindAndKeyIn(user);
      return userKind === 'environmentParts' ? (parts.find(userKey)?.value ?? []) : [];
    });
    return { name: own.name, variables: unionOf(own, more).environmentVariables };
  }
  return undefined;
}
