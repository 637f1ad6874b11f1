// Why an archive cannot be taken.

export class BadArchive extends Error {
  constructor(reason: string) {
    super(`The archive is not taken: ${reason}.`);
  }
}
