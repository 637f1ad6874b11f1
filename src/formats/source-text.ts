// The text of a file, if it is one.
import { isUtf8 } from 'node:buffer';
import { MAX_SOURCE_FILE_BYTES } from '../contracts/plugins/config-repo.ts';

export type SourceText =
  | { readonly text: string }
  | { readonly refused: string; readonly at: number; readonly text: string; readonly hint: string };

/** `subject`: the name of the source of the bytes, at the beginning of messages. */
export function sourceText(bytes: Uint8Array, subject = 'File'): SourceText {
  if (bytes.length > MAX_SOURCE_FILE_BYTES) {
    const megabytes = (size: number) => (size / 1024 / 1024).toFixed(1);
    const refused = `${subject} is too large: ${megabytes(bytes.length)} MB`;
    return {
      refused,
      at: 0,
      text: '',
      hint: `A file may have at most ${megabytes(MAX_SOURCE_FILE_BYTES)} MB; put its pipelines into several files.`,
    };
  }
  // The mark at the beginning of some files is left out here.
  const text = new TextDecoder().decode(bytes);
  if (!isUtf8(bytes)) {
    return {
      refused: `${subject} is not in UTF-8`,
      at: Math.max(0, text.indexOf('\uFFFD')),
      text,
      hint: 'Save the file in the encoding UTF-8.',
    };
  }
  const at = text.indexOf('\0');
  if (at >= 0) return { refused: `${subject} has a NUL character in it`, at, text, hint: 'A file of text has none.' };
  return { text };
}
