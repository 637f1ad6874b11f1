// Why a mail server did not take a mail, and whether this concerns the mail alone or all, for now or for good.

/** How far a mail got. Before its body there is nothing a mail server could accept; after the closing dot it may have. */
export type Progress = 'nothing sent' | 'body begun' | 'all sent';

export interface FailureClassification {
  /** `server`: no other mail would fare better now. */
  readonly concerns: 'server' | 'mail';
  /** A retry of this mail would be refused, too. */
  readonly isFinal: boolean;
  /** The mail server has all of it and did not say whether it took it. */
  readonly isInDoubt: boolean;
  readonly reason: string;
}

export class SendFailure extends Error {
  readonly classification: FailureClassification;
  /** The error of the SMTP client. */
  readonly error: SmtpError;

  constructor(error: SmtpError, progress: Progress) {
    const classification = classifyFailure(error, progress);
    super(classification.reason);
    this.classification = classification;
    this.error = error;
  }
}

/** The details of a failure in the SMTP client. */
export interface SmtpError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
  /** The command the mail server answered. */
  readonly command?: string | undefined;
}

const ABOUT_THIS_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);
const SERVICE_ENDS = 421;
const MAX_REASON_LENGTH = 500;

export function classifyFailure({ message, code = '', responseCode, command }: SmtpError, progress: Progress): FailureClassification {
  const reason = message.slice(0, MAX_REASON_LENGTH);
  const classified = (concerns: FailureClassification['concerns'], more: Partial<FailureClassification> = {}): FailureClassification => ({
    concerns,
    isFinal: false,
    isInDoubt: false,
    reason,
    ...more,
  });
  if (progress === 'all sent' && responseCode === undefined) return classified('mail', { isInDoubt: true });
  if (responseCode === SERVICE_ENDS) return classified('server');
  if (ABOUT_THIS_MAIL.has(code)) {
    // Without an answer it is the client that finds the mail impossible: an address that is none, a size that was announced as too large.
    if (responseCode === undefined) return classified('mail', { isFinal: true });
    // A refused sender may send no mail at all: the sender and the login are those of all mail.
    if (command === 'MAIL FROM') return classified('server');
    return classified('mail', { isFinal: responseCode >= 500 });
  }
  // A mail whose body breaks the connection must not hold up the others.
  return classified(progress === 'nothing sent' ? 'server' : 'mail');
}
