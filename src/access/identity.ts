// Who is asking.
export interface Identity {
  readonly loginName: string;
  readonly displayName: string;
  /** The access token used, or null for a password. */
  readonly tokenId: number | null;
  readonly authConfigId: string;
  /** The hash of the browser session used; absent: none. */
  readonly sessionHash?: string;
}
