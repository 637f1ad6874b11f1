// The configuration as one XML document: types for reading, checking and saving it.
import type { DryRunPlan } from '../api/change-answers.ts';
import { isObject, type Json } from '../api/json.ts';

export const DOCUMENT_ADDRESS = '/api/admin/config.xml';
export const NEWEST_ADDRESS = '/api/admin/config/revisions?page_size=1';
export const NEWEST_VERSION = 1;

/** A document, with the checksum and the revision that it was read at. */
export interface ConfigDocument {
  readonly text: string;
  readonly md5: string;
  readonly revision: number;
}

/** A mistake at a place of the text. Lines and columns are counted from 1. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The effects of saving a text. */
export interface FilePlan {
  readonly ignored: readonly { readonly what: string; readonly why: string }[];
  readonly warnings: readonly Mistake[];
  readonly _plan: DryRunPlan;
}

/** The answer of the server about a text that was checked. */
export type CheckResult =
  | { readonly is: 'fine'; readonly plan: FilePlan }
  | { readonly is: 'wrong'; readonly mistakes: readonly Mistake[]; readonly message: string }
  /** Another user has changed the same entity. */
  | { readonly is: 'in conflict'; readonly mistakes: readonly Mistake[]; readonly message: string }
  /** The server could not be asked. */
  | { readonly is: 'unknown'; readonly message: string };

const CONFLICT = 409;

/** Reads a refusal: `{"result": …, "errors": […]}`. */
export function checkResultOf({
  status,
  message,
  answer,
}: {
  readonly status: number;
  readonly message: string;
  readonly answer: Json | undefined;
}): CheckResult {
  const body = isObject(answer) ? answer : {};
  if (typeof body.result !== 'string') return { is: 'unknown', message };
  const mistakes = Array.isArray(body.errors) ? body.errors.filter(isObject).map(mistakeIn) : [];
  return { is: status === CONFLICT ? 'in conflict' : 'wrong', mistakes, message: body.result };
}

function mistakeIn({ line, column, message }: { readonly [name: string]: Json }): Mistake {
  return { line: Number(line) || 1, column: Number(column) || 1, message: String(message) };
}
