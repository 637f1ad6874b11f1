// The artifacts that would be deleted, and the space that artifacts take, as JSON; and the cursors of pages.
import { bytesOf, isSet, type SpaceSettings } from '../../../artifacts/retention/disk-space.ts';
import type { PreviewCursor, PurgeCandidate, PurgePreview } from '../../../artifacts/retention/preview.ts';
import type { UsageTotal } from '../../../store/artifacts/usage.ts';
import { docLink, links } from '../common/links.ts';

export const CHAPTER = 'artifact-retention';
export const PREVIEW_PATH = '/api/admin/artifacts/purge_preview';
export const USAGE_PATH = '/api/admin/artifacts/usage';

export interface PreviewQuery {
  readonly size: number;
  /** The free space to assume, in bytes; undefined: the real one. */
  readonly free?: number | undefined;
}

export function previewJson(base: string, { size, free }: PreviewQuery, settings: SpaceSettings, preview: PurgePreview) {
  const { items, next, isLow, isEnough } = preview;
  const query = next && new URLSearchParams({ after: cursorText(next), page_size: String(size) });
  if (free !== undefined) query?.set('free_bytes', String(free));
  return {
    _links: links(base, { self: PREVIEW_PATH, doc: docLink(CHAPTER), ...(query && { next: `${PREVIEW_PATH}?${query}` }) }),
    _embedded: {
      stage_runs: items.map(candidateJson),
      space: {
        free_bytes: preview.free ?? null,
        start_bytes: isSet(settings) ? bytesOf(settings.start) : null,
        upto_bytes: isSet(settings) ? bytesOf(settings.upto) : null,
        is_low: isLow,
        is_enough: isEnough,
      },
    },
  };
}

function candidateJson({ run, files, bytes, by, reason }: PurgeCandidate) {
  const { pipeline, pipelineCounter, stage, stageCounter } = run;
  return { pipeline, pipeline_counter: pipelineCounter, stage, stage_counter: stageCounter, files, bytes, by, reason };
}

export interface PipelineUsage {
  readonly pipeline: string;
  readonly isConfigured: boolean;
  readonly files: number;
  readonly bytes: number;
}

export interface UsagePage {
  readonly pipelines: readonly PipelineUsage[];
  readonly total: UsageTotal;
  readonly free: number | undefined;
}

export function usageJson(base: string, { offset, size }: { offset: number; size: number }, { pipelines, total, free }: UsagePage) {
  const nextOffset = offset + pipelines.length;
  const hasNext = pipelines.length > 0 && nextOffset < total.pipelines;
  const query = new URLSearchParams({ offset: String(nextOffset), page_size: String(size) });
  return {
    _links: links(base, { self: USAGE_PATH, doc: docLink(CHAPTER), ...(hasNext && { next: `${USAGE_PATH}?${query}` }) }),
    _embedded: {
      pipelines: pipelines.map(({ pipeline, isConfigured, files, bytes }) => ({ pipeline, is_configured: isConfigured, files, bytes })),
      total: { pipelines: total.pipelines, files: total.files, bytes: total.bytes },
      disk_free_bytes: free ?? null,
    },
  };
}

function cursorText({ by, job, freed }: PreviewCursor): string {
  return `${by}.${job}.${freed}`;
}

/** undefined: it is not one of ours. */
export function readCursor(text: string): PreviewCursor | undefined {
  const [, by, job, freed] = /^(rules|space)\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return by === undefined ? undefined : { by: by === 'rules' ? 'rules' : 'space', job: Number(job), freed: Number(freed) };
}
