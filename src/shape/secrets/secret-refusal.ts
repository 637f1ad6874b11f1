// Why a cipher text is not taken where it was sent.

/** `undecryptable`: this server has not made it. `elsewhere`: it belongs to another place. `moved`: it was entered for another address. */
export type SecretRefusal = 'undecryptable' | 'elsewhere' | 'moved';

const REASONS: Readonly<Record<Exclude<SecretRefusal, 'undecryptable'>, string>> = {
  elsewhere: 'belongs to another place and cannot be used here. Enter the plain value instead.',
  moved: 'was entered for another address. Enter the plain value again, so that it is sent to this one.',
};

/** `subject` begins the sentence: `Encrypted value for password`. */
export function refusalText(refusal: SecretRefusal, subject: string, undecryptable: string): string {
  return refusal === 'undecryptable' ? undecryptable : `${subject} ${REASONS[refusal]}`;
}
