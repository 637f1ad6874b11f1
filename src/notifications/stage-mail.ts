// The mail about a stage that has finished.

import { heading, lines, linkTo, page, paragraph, remark, type Tone } from '../mail/html.ts';
import type { MailContent } from '../mail/mail.ts';
import { type RepositoryType, repositoryDefinition } from '../materials/types/list.ts';
import { dateText } from './date-text.ts';
import type { StageEvent } from './match.ts';

/** One change of one material of the run. */
export type MaterialChange =
  | {
      readonly kind: 'scm';
      readonly type: RepositoryType;
      /** Without its password. */
      readonly location: string;
      readonly revision: string;
      readonly userName: string | null;
      readonly at: string;
      readonly comment: string | null;
      readonly files: readonly { readonly action: string; readonly name: string }[];
    }
  | { readonly kind: 'dependency'; readonly pipeline: string; readonly stage: string; readonly revision: string; readonly at: string }
  | { readonly kind: 'package'; readonly name: string; readonly revision: string; readonly at: string }
  | {
      readonly kind: 'plugin';
      readonly pluginName: string;
      readonly name: string;
      readonly revision: string;
      readonly at: string;
      readonly comment: string | null;
    };

export interface StageRunFacts {
  readonly pipeline: string;
  readonly pipelineCounter: number;
  readonly stage: string;
  readonly stageCounter: number;
  readonly event: StageEvent;
  readonly cancelledBy: string | null;
  /** In the order of the materials. */
  readonly changes: readonly MaterialChange[];
}

export interface MailFacts {
  /** With the context path, without a slash at the end. */
  readonly siteUrl: string;
  readonly loginName: string;
  readonly timeZone?: string;
}

const OUTCOMES: Readonly<Record<StageEvent, { readonly outcome: string; readonly tone: Tone }>> = {
  Fails: { outcome: 'failed', tone: 'bad' },
  Passes: { outcome: 'passed', tone: 'good' },
  Breaks: { outcome: 'is broken', tone: 'bad' },
  Fixed: { outcome: 'is fixed', tone: 'good' },
  Cancelled: { outcome: 'is cancelled', tone: 'neutral' },
};
/** A run can be made from thousands of changes; users do not read them all in a mail. */
const MAX_CHANGES_LENGTH = 100_000;
const MAX_CHANGE_LENGTH = 10_000;

export function stageMail(run: StageRunFacts, { siteUrl, loginName, timeZone }: MailFacts): MailContent {
  const { outcome, tone } = OUTCOMES[run.event];
  const locator = `${run.pipeline}/${run.pipelineCounter}/${run.stage}/${run.stageCounter}`;
  const subject = `Stage [${locator}] ${outcome}`;
  const address = `${siteUrl}/pipelines/${locator.split('/').map(encodeURIComponent).join('/')}`;
  const cancelled = run.event === 'Cancelled' && run.cancelledBy ? `The stage was cancelled by ${run.cancelledBy}.` : undefined;
  const changes = readable(run.changes.map((change) => changeText(change, timeZone)));
  const signature = `Sent by Slipway on behalf of ${loginName}`;
  const beginning = [...(cancelled === undefined ? [] : [cancelled]), `See details: ${address}`].join('\n');
  return {
    subject,
    text: `${[beginning, '-- CHANGES --', ...changes, signature].join('\n\n')}\n`,
    html: page(subject, tone, [
      ...(cancelled === undefined ? [] : [paragraph(cancelled)]),
      linkTo(address, 'See details'),
      heading('Changes'),
      ...changes.map(lines),
      remark(signature),
    ]),
  };
}

function changeText(change: MaterialChange, timeZone: string | undefined): string {
  const date = dateText(change.at, timeZone);
  const completed = `revision: ${change.revision}, completed on ${date}`;
  switch (change.kind) {
    case 'scm':
      return [
        `${repositoryDefinition(change.type).title}: ${change.location}`,
        `revision: ${change.revision}, modified by ${change.userName ?? 'unknown'} on ${date}`,
        ...commentLines(change.comment),
        ...change.files.map(({ action, name }) => `${action} ${name}`),
      ].join('\n');
    case 'dependency':
      return `Dependency: ${change.pipeline}/${change.stage}\n${completed}`;
    case 'package':
      return `Package : ${change.name}\n${completed}`;
    case 'plugin':
      return [`${change.pluginName} : ${change.name}`, completed, ...commentLines(change.comment)].join('\n');
  }
}

function commentLines(comment: string | null): string[] {
  const text = comment?.trim() ?? '';
  return text === '' ? [] : [text];
}

function readable(changes: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let length = 0;
  for (const change of changes) {
    const cut = change.length > MAX_CHANGE_LENGTH ? `${change.slice(0, MAX_CHANGE_LENGTH)}…` : change;
    length += cut.length;
    if (length > MAX_CHANGES_LENGTH) return [...shown, `… and ${changes.length - shown.length} more`];
    shown.push(cut);
  }
  return shown;
}
