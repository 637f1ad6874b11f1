// Tries out a mail server before, or after, it is saved.
import { invalid } from '../../../config/check.ts';
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import type { Log } from '../../../kit/log.ts';
import { failureText } from '../../../mail/failure-text.ts';
import { mailServerOf } from '../../../mail/mail-server.ts';
import { SendFailure } from '../../../mail/send-failure.ts';
import { sendTestMail } from '../../../mail/send-test-mail.ts';
import { openSmtp, type SmtpOptions } from '../../../mail/smtp.ts';
import { NOT_SENT, problemWith } from '../../../mail/test-mail.ts';
import { thisMachine } from '../../../mail/this-machine.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { withoutDerivedProblems } from '../../../shape/problems/problem.ts';
import type { Kind } from '../../../shape/resource.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { requestSchema } from '../../engine/resource-schemas.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { readBodyAs } from '../../engine/verbs/read-body.ts';

export interface MailTestParts {
  readonly cipher: Cipher;
  readonly smtp: SmtpOptions;
  readonly log: Log;
}

export function mailTestRoute(kind: Kind<'mailServer'>, parts: ResourceParts, { cipher, smtp, log }: MailTestParts): Route {
  const refused = (problem: object) => jsonAnswer(problem, { status: 406 });
  return {
    method: 'POST',
    path: `${kind.path}/test`,
    version: kind.version,
    permission: 'admin',
    description: {
      chapter: kind.doc,
      summary: 'Send a test mail to the administrator, without saving anything',
      details: 'The body is a mail server config; it need not be the one that is saved.',
      request: { schema: requestSchema(kind), example: kind.example },
      response: objectSchema({ message: { type: 'null', description: 'null: it was sent.' } }),
      example: { message: null },
      changes: 'nothing',
      failures: {
        406: {
          when: 'Something in the body is wrong, or the mail server did not take the mail: then `reason` says why.',
          schema: objectSchema(
            { message: described(TEXT, 'The result in words.') },
            { others: { reason: described(TEXT, 'Why the mail server did not take it.') } },
          ),
          example: { message: NOT_SENT, reason: 'Nothing answers at this hostname and port.' },
        },
      },
    },
    handle: async ({ body, isDryRun }) => {
      const { entity, problems } = await readBodyAs(kind, body, parts, parts.config.of(kind.name).find('')?.value);
      if (problems.length > 0)
        throw invalid({ kind, id: '', after: undefined, sent: entity }, withoutDerivedProblems(problems), 'update', parts.config.secrets);
      const server = mailServerOf(entity, cipher);
      const problem = problemWith(server);
      if (problem) return refused({ message: problem });
      try {
        if (!isDryRun) await sendTestMail(server, (to) => openSmtp(to, smtp), thisMachine());
      } catch (failure) {
        log.warn({ reason: String(failure) }, 'a test mail could not be sent');
        return refused({ message: NOT_SENT, reason: reasonOf(failure) });
      }
      return jsonAnswer({ message: null });
    },
  };
}

/** A try that took too long is no failure of the mail server. */
function reasonOf(failure: unknown): string {
  return failure instanceof SendFailure ? failureText(failure.error) : (failure as Error).message;
}
