// Tries out a mail server before, or after, it is saved.
import { invalid } from '../../config/check.ts';
import type { Cipher } from '../../kit/cipher.ts';
import type { Log } from '../../kit/log.ts';
import { mailServerOf } from '../../mail/mail-server.ts';
import { sendTestMail } from '../../mail/send-test-mail.ts';
import { openSmtp, type SmtpOptions } from '../../mail/smtp.ts';
import { NOT_SENT, problemWith } from '../../mail/test-mail.ts';
import { thisMachine } from '../../mail/this-machine.ts';
import { withoutNoise } from '../../shape/problem.ts';
import type { Kind } from '../../shape/resource.ts';
import { objectSchema } from '../../shape/schemas.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { requestSchema } from '../resource-schemas.ts';
import { jsonAnswer, type Route } from '../route.ts';
import { readBodyAs } from '../verbs/read-body.ts';

export interface MailTestParts {
  readonly cipher: Cipher;
  readonly smtp: SmtpOptions;
  readonly log: Log;
}

export function mailTestRoute(kind: Kind, parts: ResourceParts, { cipher, smtp, log }: MailTestParts): Route {
  const refused = (message: string) => jsonAnswer({ message }, { status: 406 });
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
      failures: { 406: { when: 'The mail server is not described rightly, or did not take the mail.', example: { message: NOT_SENT } } },
    },
    handle: async ({ body, isDryRun }) => {
      const { entity, problems } = await readBodyAs(kind, body, parts, parts.config.of(kind.name).find('')?.value);
      if (problems.length > 0)
        throw invalid({ kind, id: '', after: undefined, sent: entity }, withoutNoise(problems), 'update', parts.config.secrets);
      const server = mailServerOf(entity, cipher);
      const problem = problemWith(server);
      if (problem) return refused(problem);
      try {
        if (!isDryRun) await sendTestMail(server, (to) => openSmtp(to, smtp), thisMachine());
      } catch (failure) {
        // The sender of the request learns little: what the mail server said is for the log.
        log.warn({ reason: String(failure) }, 'a test mail could not be sent');
        return refused(NOT_SENT);
      }
      return jsonAnswer({ message: null });
    },
  };
}
