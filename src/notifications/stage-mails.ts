// From a stage that has finished to the mails for the outbox: the build engine adds them to the commit that completes the stage.
import type { Mail } from '../mail/mail.ts';
import { type Commit, type MailRecipient, recipientsOf } from './match.ts';
import { type MailFacts, type StageRunFacts, stageMail } from './stage-mail.ts';

export interface StageMailParts {
  readonly users: readonly MailRecipient[];
  readonly mayView: (loginName: string, pipeline: string) => boolean;
  readonly siteUrl: string;
  readonly timeZone?: string;
}

export function stageMails(run: StageRunFacts, { users, mayView, siteUrl, timeZone }: StageMailParts): Mail[] {
  const { pipeline, stage, event, changes } = run;
  const commits = changes.map(
    (change): Commit => ({
      userName: change.kind === 'scm' ? change.userName : null,
      comment: 'comment' in change ? change.comment : null,
    }),
  );
  return recipientsOf({ pipeline, stage, event, commits }, users, mayView).map(({ email, loginName }) => {
    const facts: MailFacts = { siteUrl, loginName, ...(timeZone !== undefined && { timeZone }) };
    return { to: email.trim(), ...stageMail(run, facts) };
  });
}
