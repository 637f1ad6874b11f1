// A mail: its content, its recipient, and what identifies it.

/** What stands in it, both as plain text and as HTML. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mail extends MailContent {
  readonly to: string;
}

/** A mail with what makes it the same mail at every attempt. */
export interface StampedMail extends Mail {
  readonly messageId: string;
  readonly createdAt: string;
}
