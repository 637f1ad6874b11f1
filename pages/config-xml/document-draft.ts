// The draft of a changed document: only the changed part, because documents can be very long. The rest is read again at its revision.
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { ConfigDocument } from './document.ts';
import { readDocument } from './requests.ts';
import { applyEdit, editBetween, type TextEdit } from './text-edit.ts';

/** A document that is being edited. */
export interface EditedText {
  /** The document that the text is based on. */
  readonly base: ConfigDocument;
  readonly text: string;
}

export interface DocumentDraft {
  readonly revision: number;
  readonly md5: string;
  readonly edit: TextEdit;
}

export function packDraft({ base: { revision, md5, text: before }, text }: EditedText): JsonObject {
  return { revision, md5, edit: { ...editBetween(before, text) } };
}

export function draftIn(packed: Json): DocumentDraft {
  const { revision, md5, edit } = isObject(packed) ? packed : {};
  const { start, removed, inserted } = edit !== undefined && isObject(edit) ? edit : {};
  return {
    revision: Number(revision),
    md5: String(md5),
    edit: { start: Number(start), removed: Number(removed), inserted: String(inserted) },
  };
}

export async function unpackDraft({ revision, md5, edit }: DocumentDraft): Promise<EditedText> {
  const base = await readDocument(String(revision), new AbortController().signal);
  if (base.md5 !== md5) throw new Error('The server writes the document of that time differently now, such as after an upgrade.');
  return { base, text: applyEdit(base.text, edit) };
}
