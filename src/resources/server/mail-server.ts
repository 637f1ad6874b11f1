// The mail server: the SMTP host through which the server sends mail, and the administrator it writes to when it needs attention.
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../kit/text/control-characters.ts';
import { required } from '../../shape/field.ts';
import { checkedText, flag, optionalText, whole } from '../../shape/fields.ts';
import { singletonMessages } from '../../shape/problems/messages.ts';
import { problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';
import { secretText } from '../../shape/secrets/secret-text.ts';

const HIGHEST_PORT = 65535;

export const mailServer = singleton({
  title: 'Mail server config',
  label: 'Mail server',
  about: 'Through which SMTP host the server sends mail, and who is notified when it needs attention.',
  path: '/api/config/mailserver',
  version: 1,
  permission: 'admin',
  doc: 'mailserver-config',
  links: ['self', 'doc'],
  verbs: ['POST', 'PUT', 'DELETE'],
  needsIfMatch: false,
  fields: {
    hostname: required(checkedText({ label: 'Host name', description: 'SMTP host name or address.' })),
    port: required(whole(0, { description: 'SMTP port: usually 587 or 25, or 465 with TLS from the first byte.' })),
    username: optionalText({ label: 'User name', description: 'SMTP user; none: no login at the mail server.' }),
    password: secretText({
      hint: 'The password of that user; empty if there is no login.',
      both: 'You may only specify `password` or `encrypted_password`, not both!',
      undecryptable: 'Encrypted value for password is invalid. This usually happens when the cipher text is invalid.',
      encryptedErrorKey: 'encryptedPassword',
      sentTo: (member) => member('hostname').toLowerCase(),
    }),
    tls: flag(false, {
      label: 'Use TLS',
      description: 'Whether to use TLS from the first byte, as on port 465. Without it, TLS is used if the mail server offers STARTTLS.',
    }),
    senderEmail: required(checkedText({ label: 'Sender', format: 'email', description: 'The sender of all mail.' })),
    adminEmail: required(
      checkedText({
        label: 'Administrator',
        format: 'email',
        description: 'The address for test mails, mails about backups, and whatever else needs the attention of an administrator.',
      }),
    ),
  },
  rules: [
    ({ hostname }) => problemUnless(hostname.trim() !== '', 'hostname', 'Hostname must not be blank.'),
    ({ hostname }) => problemUnless(!hasControlCharacter(hostname), 'hostname', NO_CONTROL_CHARACTERS),
    ({ username }) => problemUnless(!hasControlCharacter(username ?? ''), 'username', NO_CONTROL_CHARACTERS),
    ({ port }) => problemUnless(port > 0, 'port', 'Port must be a positive number.'),
    ({ port }) => problemUnless(port <= HIGHEST_PORT, 'port', `Port must not be greater than ${HIGHEST_PORT}.`),
    ({ senderEmail }) => emailProblems(senderEmail, 'sender_email', 'Sender email must not be blank.'),
    ({ adminEmail }) => emailProblems(adminEmail, 'admin_email', 'Admin email must not be blank.'),
  ],
  messages: singletonMessages('SMTP config'),
  example: {
    hostname: 'smtp.example.org',
    port: 587,
    username: 'notifier',
    password: 'example-pass',
    tls: true,
    sender_email: 'cd@example.org',
    admin_email: 'ops@example.org',
  },
});

function emailProblems(email: string, at: string, whenBlank: string) {
  if (email.trim() === '') return problemUnless(false, at, whenBlank);
  // An address stands in the head of a mail: a line break would begin another line there.
  if (hasControlCharacter(email)) return problemUnless(false, at, NO_CONTROL_CHARACTERS);
  return problemUnless(email.includes('@'), at, 'Does not look like a valid email address.');
}
