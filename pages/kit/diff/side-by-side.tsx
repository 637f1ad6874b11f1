// Two texts side by side, with the differences marked.
import { useMemo, useState } from 'preact/hooks';
import { type DifferenceRow, type DifferenceSection, lineDifference, type NumberedLine, sectionsOf } from './line-difference.ts';

interface SideBySideProps {
  readonly before: string;
  readonly after: string;
  /** The headings of the columns. */
  readonly labels?: readonly [before: string, after: string];
}

/** More rows than this are drawn when the user asks for them. */
const MAX_ROWS = 1_000;
/** The marks of rows beside their colours. */
const MARKS = { same: '', changed: '~', added: '+', removed: '−' } as const;

export function SideBySide({ before, after, labels = ['Before', 'After'] }: SideBySideProps) {
  const sections = useMemo(() => sectionsOf(lineDifference(before, after)), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do
    <section class="side-by-side" aria-label={`${labels[0]} and ${labels[1]}`} tabIndex={0}>
      <table>
        <colgroup>
          <col class="line-numbers" />
          <col />
          <col class="line-numbers" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th colSpan={2} scope="colgroup">
              {labels[0]}
            </th>
            <th colSpan={2} scope="colgroup">
              {labels[1]}
            </th>
          </tr>
        </thead>
        {sections.map((section, index) => (
          <Section key={`${index} ${section.rows.length}`} section={section} />
        ))}
      </table>
    </section>
  );
}

function Section({ section: { isFolded, rows } }: { readonly section: DifferenceSection }) {
  const [isOpen, setIsOpen] = useState(!isFolded);
  const [rowLimit, setRowLimit] = useState(MAX_ROWS);
  const shown = isOpen ? rows.slice(0, rowLimit) : [];
  return (
    <tbody>
      {shown.map((row, index) => (
        <Row key={index} row={row} />
      ))}
      {shown.length < rows.length && (
        <tr class="is-folded">
          <td colSpan={4}>
            <button type="button" class="link-button" onClick={() => (isOpen ? setRowLimit(rowLimit + MAX_ROWS) : setIsOpen(true))}>
              {isOpen ? `${rows.length - shown.length} more lines` : `${rows.length} lines without a difference`}
            </button>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Row({ row: { kind, before, after } }: { readonly row: DifferenceRow }) {
  return (
    <tr class={`is-${kind}`}>
      <Cells line={before} mark={kind === 'added' ? '' : MARKS[kind]} />
      <Cells line={after} mark={kind === 'removed' ? '' : MARKS[kind]} />
    </tr>
  );
}

function Cells({ line, mark }: { readonly line: NumberedLine | undefined; readonly mark: string }) {
  return (
    <>
      <td class="line-number">
        {line?.number} {mark}
      </td>
      <td class={line === undefined ? 'line is-absent' : 'line'}>{line?.text}</td>
    </>
  );
}
