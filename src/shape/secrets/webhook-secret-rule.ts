// The rule for webhook secrets, wherever they come from.
import { type Problem, problemUnless } from '../problems/problem.ts';

/** It stands in headers and in the place of a user name; and any client that reaches this server can try to guess it. */
const FIT = /^[!-9;-~]{16,255}$/;
const UNFIT = 'The webhook secret must have 16 to 255 characters: letters, digits and ASCII punctuation other than the colon.';

export function webhookSecretProblems(plain: string): Problem[] {
  return problemUnless(FIT.test(plain), 'webhook_secret', UNFIT);
}
