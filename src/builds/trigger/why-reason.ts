// A reason why a pipeline does not run.

export type Detail = null | boolean | number | string | readonly Detail[] | { readonly [name: string]: Detail };

/** A rule that stops it, a message with the remedy, and the objects concerned. */
export interface WhyReason {
  readonly rule: string;
  readonly message: string;
  readonly details: Readonly<Record<string, Detail>>;
}
