// The messages for users when a config repo does not come into force.
import type { FileProblem } from '../../contracts/plugins/config-repo.ts';
import { firstThatFit, truncate } from '../../kit/text/truncate.ts';
import type { Outcome, RepoState } from '../../store/config-repos/states.ts';
import type { MergeProblem } from '../publish/publication.ts';
import { moreText } from '../publish/repo-error.ts';

/** A message for administrators. */
export interface StatusMessage {
  readonly message: string;
  readonly detail: string;
}

export const NO_MESSAGE: StatusMessage = { message: '', detail: '' };
const INVALID = 'Invalid Merged Configuration';
/** Limits of the problems that a text reports: more would be too long to read. */
export const MAX_REPORTED = { maxItems: 200, characters: 100_000 };

export function missingPlugin(pluginId: string, material: string): StatusMessage {
  const message = `Failed to obtain configuration plugin '${pluginId}' for material: ${material}`;
  return { message, detail: `Plugin '${pluginId}' is not installed.` };
}

export function notParsed(pluginId: string, material: string, detail: string): StatusMessage {
  return { message: `Parsing configuration repository using Plugin ${pluginId} failed for material: ${material}`, detail };
}

/** The problems of each place together, numbered. */
export function problemsText(problems: readonly Pick<FileProblem, 'location' | 'message'>[]): string {
  const shown = shownOf(problems);
  const byLocation = Map.groupBy(shown, ({ location = '' }) => location);
  const texts = Array.from(byLocation, ([location, ofOne]) => `${location};\n${numbered(ofOne, '')}`);
  return [...texts, restText(problems, shown)].join('');
}

export function notMerged(problems: readonly Pick<MergeProblem, 'message' | 'isRule'>[], source: string): StatusMessage {
  const shown = shownOf(problems);
  const [rules, others] = [shown.filter(({ isRule }) => isRule), shown.filter(({ isRule }) => !isRule)];
  const list =
    rules.length === 0
      ? numbered(others, '')
      : [section('I. Rule Validation Errors: ', rules), section('II. Config Validation Errors: ', others)]
          .filter((text) => text)
          .join('\n');
  const rest = restText(problems, shown);
  return { message: INVALID, detail: `Number of errors: ${problems.length}+\n${list}${rest}- For Config Repo: ${source}` };
}

export function noFiles(repo: string, patterns: string, notes: readonly { readonly message: string }[]): StatusMessage {
  const message = `No file of the config repo '${repo}' is read`;
  return { message, detail: [`No file matches ${patterns}.`, ...notes.map((note) => note.message)].join('\n') };
}

/** The error that the parse state shows; null: there is none. */
export function errorText({ outcome, message, detail }: Pick<RepoState, 'outcome' | 'message' | 'detail'>): string | null {
  const forms: Readonly<Record<Outcome, () => string | null>> = {
    published: () => null,
    refused: () => `${message.toUpperCase()}\n${detail}`,
    unparsed: () => detail,
    unread: () => detail,
  };
  // A run that a crash has ended has reported nothing yet.
  return message === '' ? null : forms[outcome]();
}

/** The error text of a repository that could never be fetched. */
export function fetchErrorText({ message, detail }: StatusMessage): string {
  return `${message.toUpperCase()}\n${detail}`;
}

function section(title: string, problems: readonly { readonly message: string }[]): string {
  return problems.length === 0 ? '' : `${title}\n${numbered(problems, '\t')}`;
}

function numbered(problems: readonly { readonly message: string }[], indent: string): string {
  return problems.map(({ message }, index) => `${indent}${index + 1}. ${message}\n`).join('');
}

interface ShownProblem {
  readonly message: string;
  readonly location?: string;
}

/** Names in messages and places come from files, and can be as long as these. */
function shownOf<P extends ShownProblem>(problems: readonly P[]): readonly P[] {
  const short = (problem: P) => ({
    ...problem,
    message: truncate(problem.message),
    ...(problem.location !== undefined && { location: truncate(problem.location) }),
  });
  return firstThatFit(problems.values().map(short), ({ message, location = '' }) => message.length + location.length, MAX_REPORTED);
}

function restText(all: readonly unknown[], shown: readonly unknown[]): string {
  return all.length > shown.length ? `${moreText(all.length - shown.length)}\n` : '';
}
