// The props of a page: the names in its address.
export type Parameters = Readonly<Record<string, string>>;
export type PageProps<P extends Parameters = Parameters> = { readonly params: P };
