// Git does not read repositories of other users, and its advice is of no use here: the settings to which it would add an exception do not count.

const COMPLAINT =
  /^fatal: detected dubious ownership in repository at '(.*)'\n[\s\S]*?safe\.directory .*(?:\nfatal: Could not read from remote repository\.\s+Please make sure you have the correct access rights\s+and the repository exists\.)?/m;

export function isAboutOwnership(errorOutput: string): boolean {
  return COMPLAINT.test(errorOutput);
}

/** Names the path as git does, for it must be written in the same way in the settings. */
export function withAdvice(errorOutput: string): string {
  return errorOutput.replace(
    COMPLAINT,
    (_, path: string) =>
      `The repository ${path} belongs to another user: give it to the user of this server, or set GIT_CONFIG_GLOBAL in the environment of the server to a file of git settings in which safe.directory names it.`,
  );
}
