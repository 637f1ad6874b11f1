// The HTML form of a mail: one plain card that every mail program can show.
export type Tone = 'good' | 'bad' | 'neutral';

const COLOURS: Readonly<Record<Tone, string>> = { good: '#1a7f37', bad: '#b42318', neutral: '#3b5b7a' };
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const FIXED = "font-family:ui-monospace,Menlo,Consolas,'Liberation Mono',monospace";
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

export function paragraph(text: string): string {
  return `<p style="margin:0 0 14px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
}

export function heading(text: string): string {
  return `<h2 style="margin:22px 0 10px;font-size:15px;color:#57606a">${escapeHtml(text)}</h2>`;
}

export function remark(text: string): string {
  return `<p style="margin:22px 0 0;font-size:12px;color:#6e7781">${escapeHtml(text)}</p>`;
}

/** Lines whose breaks and spaces count. */
export function lines(text: string): string {
  return `<pre style="margin:0 0 14px;white-space:pre-wrap;word-break:break-word;font-size:13px;${FIXED}">${escapeHtml(text)}</pre>`;
}

/** An address that is not one of the web stays a text. */
export function linkTo(address: string, label: string): string {
  if (!/^https?:\/\//i.test(address)) return paragraph(`${label}: ${address}`);
  return `<p style="margin:0 0 14px"><a href="${escapeHtml(address)}" style="color:#0b57d0">${escapeHtml(label)}</a></p>`;
}

export function page(title: string, tone: Tone, parts: readonly string[]): string {
  const bar = `padding:14px 24px;background:${COLOURS[tone]};color:#ffffff;font-size:17px;font-weight:600`;
  return [
    '<!DOCTYPE html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;padding:24px 12px;background:#f3f4f6;color:#1f2328;font-size:14px;line-height:1.5;${FONT}">`,
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;margin:0 auto;background:#ffffff;border:1px solid #d0d7de">',
    `<tr><td style="${bar}">${escapeHtml(title)}</td></tr>`,
    `<tr><td style="padding:20px 24px">${parts.join('\n')}</td></tr>`,
    '</table></body></html>',
    '',
  ].join('\n');
}
