// A mail: its content, its recipient, and its identity.

/** The subject and the body, both as plain text and as HTML. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mail extends MailContent {
  readonly to: string;
}

/** A mail with the id and time that are the same at every attempt. */
export interface StampedMail extends Mail {
  readonly messageId: string;
  readonly createdAt: string;
}
