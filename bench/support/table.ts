// Prints results as a Markdown table, and below it notes that help to judge the figures.
import type { Result } from './measurement.ts';

const LEGEND = [
  'Figures are ratios of medians. Doubtful: the rounds differ much, or a server that should be busy was not,',
  'because of other programs or a slow load generator. Then the ratio by processor time says more; or measure again.',
];
const HEADINGS = ['What', 'Beside', 'Figure', 'Goal', 'Ok?'];

export function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ what, beside, figure, goal, isMet, isReliable }) => [
    what,
    beside,
    figure,
    goal,
    goalText(isMet, isReliable),
  ]);
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const notes = results.flatMap(({ name, notes: lines }) => lines.map((note) => `${name}: ${note}`));
  return [line(HEADINGS), rule, ...rows.map(line), '', ...notes, '', ...LEGEND].join('\n');
}

function goalText(isMet: boolean | undefined, isReliable = true): string {
  if (isMet === undefined) return '–';
  return `${isMet ? 'yes' : 'NO'}${isReliable ? '' : ', doubtful'}`;
}
