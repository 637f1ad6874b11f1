// The problems that prevent a checkout, as sentences for people.

export class CheckoutProblem extends Error {}

/** A copy of our own cannot be used: it can be made anew. */
export class DamagedCopy extends Error {}

/** A mirror in the cache cannot be used: it can be made anew. */
export class DamagedMirror extends DamagedCopy {}

/** Repositories within the checkout cannot be used; the cache has nothing of them. */
export class DamagedSubmodules extends DamagedCopy {}

/** The repository does not have the requested revision. */
export function revisionGone(revision: string, description: string): CheckoutProblem {
  return new CheckoutProblem(`The revision ${revision} is not in ${description} any more: trigger the pipeline with a newer one.`);
}
