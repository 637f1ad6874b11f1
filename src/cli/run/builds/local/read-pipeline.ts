// The configuration of a pipeline as its jobs see it: with the stages of its template, and parameters replaced.
import { resolved, resolvedStages } from '../../../../resources/parts/resolved.ts';
import { answerOf, askServer, fetchJson, refusalOf } from '../../../terminal/ask-server.ts';
import type { RemoteServer } from '../../../terminal/target.ts';
import type { EnvironmentConfig, PipelineConfig, StageConfig } from './answers.ts';

export interface ResolvedPipeline {
  readonly pipeline: PipelineConfig;
  readonly stages: readonly StageConfig[];
  /** Null: it is in none. Undefined: the user may not see them. */
  readonly environment: EnvironmentConfig | null | undefined;
}

const FORBIDDEN = 403;

export async function readPipeline(server: RemoteServer, name: string): Promise<ResolvedPipeline> {
  const written = await fetchJson<PipelineConfig>(server, `/api/admin/pipelines/${encodeURIComponent(name)}`);
  const { template } = written;
  const shared = template ? await fetchJson<{ readonly stages: readonly StageConfig[] }>(server, templatePath(template)) : undefined;
  const pipeline = resolved(written);
  return {
    pipeline,
    stages: pipeline.stages ?? resolvedStages(shared?.stages ?? [], written),
    environment: await environmentOf(server, written.name),
  };
}

function templatePath(name: string): string {
  return `/api/admin/templates/${encodeURIComponent(name)}`;
}

async function environmentOf(server: RemoteServer, pipeline: string): Promise<EnvironmentConfig | null | undefined> {
  const response = await askServer(server, '/api/admin/environments');
  if (response.status === FORBIDDEN) {
    await response.body?.cancel();
    return undefined;
  }
  const answer = await answerOf(response, server);
  if (!response.ok) throw refusalOf(response, answer, server);
  const { environments } = answer._embedded as { readonly environments: readonly EnvironmentConfig[] };
  const isPipeline = ({ name }: { readonly name: string }) => name.toLowerCase() === pipeline.toLowerCase();
  return environments.find(({ pipelines }) => pipelines.some(isPipeline)) ?? null;
}
