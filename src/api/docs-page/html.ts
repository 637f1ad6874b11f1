// Text as HTML.
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Text in which backticks mark code, and addresses may be broken at their slashes. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** An address that may be broken at its slashes. */
export function address(path: string): string {
  return escaped(path.replace('/*', '/:')).replace(/(?<=.)\//g, '<wbr>/');
}

/** The name of a field, its outer names less prominent; it may be broken where its parts join. */
export function fieldName(path: string): string {
  const start = path.lastIndexOf('.') + 1;
  const breakable = (text: string) => escaped(text).replace(/(?<=[._])(?=.)/g, '<wbr>');
  const outer = start === 0 ? '' : `<span>${breakable(path.slice(0, start))}</span><wbr>`;
  return `<code>${outer}${breakable(path.slice(start))}</code>`;
}

export function json(value: unknown): string {
  return `<pre><code>${escaped(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))}</code></pre>`;
}

/** A part that is opened on demand. */
export function fold(summary: string, content: string, { isOpen = false } = {}): string {
  return `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>${content}</details>`;
}

/** A column without any content is left out. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const isShown = (_: unknown, index: number) => rows.some((cells) => cells[index] !== '');
  const head = columns.filter(isShown).map((column) => `<th scope="col">${escaped(column)}</th>`);
  const body = rows.map(
    (cells) =>
      `<tr>${cells
        .filter(isShown)
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`,
  );
  return `<div class="table"><table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}
