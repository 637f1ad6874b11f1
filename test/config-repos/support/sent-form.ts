// Files as a form, the way clients send them.
import type { Ask } from '../../support/server/server.ts';

export async function sentForm(
  files: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  field = 'files[]',
): Promise<Ask> {
  const form = new FormData();
  for (const [name, text] of Array.isArray(files) ? files : Object.entries(files)) form.append(field, new Blob([text]), name);
  const sent = new Response(form);
  return { text: await sent.text(), headers: { 'Content-Type': sent.headers.get('content-type')! } };
}
