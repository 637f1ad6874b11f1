// Lines and columns of a text, counted from 1.

/** Where an offset is; asked in the order of the text, so that each line is counted once. */
export function positionFinder(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  let end = text.indexOf('\n');
  return (offset) => {
    while (end >= 0 && end < offset) {
      line++;
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    return { line, column: offset - start + 1 };
  };
}
