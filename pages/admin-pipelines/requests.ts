// Pipelines and groups as the API has them, as far as this page looks into them.
import type { JsonObject } from '../api/json.ts';
import { reloadAll } from '../api/queries.ts';
import type { Members } from '../forms/edit/members.ts';

export const PIPELINES_ADDRESS = '/api/admin/pipelines';
export const PIPELINES_VERSION = 11;
export const GROUPS_ADDRESS = '/api/admin/pipeline_groups';
export const GROUPS_VERSION = 1;

/** The fields that pages use; all other fields are sent back unchanged. */
export interface PipelineBody extends JsonObject {
  readonly name: string;
  readonly group: string;
}

export interface GroupBody {
  readonly name: string;
  readonly authorization: { readonly view: Members; readonly operate: Members; readonly admins: Members };
}

/** Reads all answers that show pipelines again. */
export function reloadPipelines(): void {
  reloadAll('/api/dashboard/rows');
  reloadAll('/api/auth/permissions');
  reloadAll('/api/admin/');
}
