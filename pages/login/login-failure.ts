// Why a login at a provider came to nothing, in words.

/** By the code that the server puts into the address. Nothing else from there is shown: links can be forged. */
const SENTENCES = new Map<string, (source: string) => string>([
  ['away', (source) => `${source} cannot be reached now. Try again in a moment, or sign in another way.`],
  ['too_many', () => 'Too many sign-ins from your address have failed. Wait a minute, and start again.'],
  ['denied', (source) => `${source} did not let you in: the request was cancelled or refused there.`],
  [
    'invalid',
    (source) => `What ${source} answered could not be verified, so you are not signed in. Your administrator finds the reason in the log.`,
  ],
  ['not_allowed', (source) => `Your account at ${source} is in none of the groups that may sign in here. Ask your administrator.`],
  ['expired', () => 'This sign-in took too long, or was started in another window. Start again.'],
  ['not_known', () => 'Ask your administrator to add you: only people who were added may sign in.'],
  ['disabled', () => 'Your account here has been disabled by an administrator.'],
  ['name_taken', () => 'Another user has your login name here. Ask your administrator.'],
  ['look_alike', () => 'Another user has a login name that looks the same. Ask your administrator.'],
  ['bad_name', () => 'Your login name cannot be used here. Ask your administrator.'],
  [
    'service_account',
    () => 'Your login name is that of a service account here, and service accounts cannot sign in. Ask your administrator.',
  ],
  ['no_source', () => 'There is no such way to sign in any more. Choose another one.'],
]);

/** Undefined: no failure is known. `label` is the label of the source on its button. */
export function failureSentence(failure: string, label: string | undefined): string | undefined {
  return SENTENCES.get(failure)?.(label ?? 'The provider');
}
